"""The four ways in which sixty days are usually reprocessed by hand, and what each does."""

from __future__ import annotations

from history import WINDOW, figures, run_model
from story import Story
from warehouse import TABLE, Warehouse


def the_unsafe_ways(story: Story, warehouse: Warehouse) -> Warehouse:
    """Try the four usual ways, each on a copy; returns the copy that was fully refreshed."""
    story.chapter("What people do by hand, each tried on a copy of the database")
    before = figures(warehouse)

    refreshed = warehouse.copy("full_refresh")
    run_model(refreshed, "--full-refresh")
    lost = before["rows"] - figures(refreshed)["rows"]
    lost_days = before["days"] - figures(refreshed)["days"]
    wrong = warehouse.differing_rows(refreshed, WINDOW) // 2
    story.say("`dbt run --full-refresh`")
    story.say(
        f"""mends the {wrong:,} wrong rows, but the source keeps eleven months: January, {lost_days} days and {lost:,} rows,
        is gone."""
    )
    story.claim("the full refresh loses January", lost_days == 31 and lost > 0)

    doubled = warehouse.copy("appended")
    doubled.run(f"attach '{refreshed.file}' as fresh (read_only); insert into {TABLE} from fresh.{TABLE} where {WINDOW}")
    twice = figures(doubled)["flights"] - before["flights"]
    story.say("`insert into … select …` of the sixty days")
    story.say(f"leaves the wrong rows beside the right ones: {twice:,} flights are counted twice.")
    story.claim("the insert counts every flight of the sixty days twice", twice == figures(warehouse, WINDOW)["flights"])

    holed = warehouse.copy("deleted")
    holed.run(f"delete from {TABLE} where {WINDOW}")
    run_model(holed)
    missing = before["days"] - figures(holed)["days"]
    story.say("`delete` the sixty days and let the scheduled job fill them in")
    story.say(f"fills nothing, for its watermark stands at 31 December: {missing} days stay empty.")
    story.claim("the sixty days stay empty", missing == 60)

    rewound = warehouse.copy("rewound")
    rewound.run(f"delete from {TABLE} where flight_date >= date '2013-03-02'")
    gone = figures(rewound)
    run_model(rewound)
    rebuilt = figures(rewound)["days"] - gone["days"]
    story.say("`delete` everything since 2 March and run the job: the watermark is moved back")
    story.say(
        f"""mends the days, but rebuilds {rebuilt} of them for 60, and until it ends readers find
        {before["flights"] - gone["flights"]:,} flights missing."""
    )
    story.claim("305 days were rebuilt", rebuilt == 305)
    return refreshed
