"""P5: where a live run begins to write, read from its filter; and that nothing is made of a filter that does not say it plainly."""

from __future__ import annotations

import json

from shop import Shop

THIS = '"shop"."marts"."fct"'
NEWEST = f"( select max ( day ) from {THIS} )"

# (what the model selects, its live filter as words, what the edge is cast from)
PLAIN = [
    ("day, a from t", f"where day > {NEWEST}", NEWEST),
    ("day, a from t", f"where day >= {NEWEST} - interval '3 days'", f"{NEWEST} - interval '3 days'"),
    ("day, a from t", f"where day >= {NEWEST} - 3", f"{NEWEST} - 3"),
    ('t."day", a from t', f'where t."day" > {NEWEST}', NEWEST),
    ("day, a from t", f"where a > 1 and day > {NEWEST}", NEWEST),
    ("day, a from t", "where day >= current_date - 3", "current_date - 3"),
    ("day, a from t", "where day > '2024-05-01'", "'2024-05-01'"),
    (
        "day, a from t",
        f"where day > ( select coalesce ( max ( f.day ) , '1900-01-01' ) from {THIS} as f )",
        f"( select coalesce ( max ( f.day ) , '1900-01-01' ) from {THIS} as f )",
    ),
    ("seen as day, a from t", f"where seen > {NEWEST}", NEWEST),
    ("cast(seen as date) as day, a from t", f"where seen > {NEWEST}", NEWEST),
    ("seen::date as day, a from t", f"where seen > {NEWEST}", NEWEST),
    ("date_trunc('day', t.seen)::date as day, a from t", f"where t.seen > {NEWEST}", NEWEST),
    ("cast(seen as date) as day, a from t", f"where cast ( seen as date ) >= {NEWEST}", NEWEST),
    ("day, a from (select cast(seen as date) as day, a from t) as s", f"where day >= {NEWEST}", NEWEST),
]
UNKNOWN = [
    ("day, a from t", f"where loaded_at > ( select max ( loaded_at ) from {THIS} )"),
    ("day, a from t", f"where loaded_at > {NEWEST}"),
    ("day, a from t", f"where day < {NEWEST}"),
    ("day, a from t", f"where day not in ( select day from {THIS} )"),
    ("day, a from t", "where day > ( select max ( day ) from other )"),
    ("day, a from t", f"where day > ( select max ( day ) from {THIS} where a = t.a )"),
    ("day, a from t", f"where day > ( select min ( day ) from {THIS} )"),
    ("day, a from t", f"where day > ( select max ( loaded_at ) from {THIS} )"),
    ("day, a from t", f"where day > least ( {NEWEST} , t.a )"),
    ("date_trunc('month', day) as day, a from t", f"where day >= {NEWEST}"),
    ("cast(seen as date) + 40 as day, a from t", f"where seen > {NEWEST}"),
    ("cast(paid as date) as day, a from t", f"where seen > {NEWEST}"),
    ("p.day, o.a from p join o using (id)", f"where o.day > {NEWEST}"),
    ("coalesce(a, day) as day from t", f"where day > {NEWEST}"),
    ("cast(a as date) as day from t union all select seen as day from t", f"where seen > {NEWEST}"),
]


def test_a_filter_says_where_a_live_run_begins(shop: Shop) -> None:
    """The bound itself, so that the warehouse can be asked for it; none where it holds something else, or what it holds to is not known."""
    wanted = [
        *((select, live, f"cast({edge} as date)") for select, live, edge in PLAIN),
        *((select, live, None) for select, live in UNKNOWN),
    ]
    calls = []
    for select, live, _ in wanted:
        request = {"node": {"config": {"materialized": "incremental"}}, "relation": THIS}
        request |= {"column": "day", "column_kind": "date", "column_type": "date"}
        plan = {"request": request, "live": {"sql": f"select {select} {live}"}}
        plan["differences"] = [{"first": "", "live": live, "filter": True}]
        calls.append({"macro": "_lower_bound_sql", "arguments": [plan]})
    ended = shop.operation("call_macros", calls=calls)
    assert ended.status == 0, ended.printed
    answers = json.loads(ended.printed.strip().splitlines()[-1])
    assert [(*case[:2], answer) for case, answer in zip(wanted, answers, strict=True)] == wanted
