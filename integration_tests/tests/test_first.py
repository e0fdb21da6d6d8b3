def test_it(shop, refreshed):
    import time
    for i in range(3):
        t=time.time()
        e = shop.backfill("fct_daily", start="2024-02-01", end="2024-02-03", column="order_date", read="per_unit", run_id="r%d"%i)
        print(e.printed[-300:], time.time()-t)
        assert e.status == 0
    assert 0
