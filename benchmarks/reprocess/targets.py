"""What the operation promises about its speed, as ratios of two contestants in the same rounds."""

from __future__ import annotations

from dataclasses import dataclass

from rounds import Results


@dataclass(frozen=True)
class Target:
    """`key` takes at most `limit` times what `base` takes, in `name` (seconds or peak_mib)."""

    size: str
    words: str
    key: str
    base: str
    limit: float
    name: str = "seconds"


OTHERS = [
    ("loop", "the bare loop", 1.5, "seconds"),
    ("full_refresh", "a full refresh", 0.75, "seconds"),
    ("microbatch", "microbatch", 0.5, "seconds"),
    ("sqlmesh_1", "SQLMesh, batch 1", 0.5, "seconds"),
    ("sqlmesh_none", "SQLMesh, no batch size", 0.5, "seconds"),
    ("full_refresh", "the memory of a full refresh", 1 / 3, "peak_mib"),
]
TARGETS = [
    *(
        Target("100m", f"inputs declared, {pace}, against {words}", key, base, limit, name)
        for key, pace in (("safe_declared", "one day a commit"), ("safe_auto", "units_per_commit: auto"))
        for base, words, limit, name in OTHERS
    ),
    Target("100m", "nothing declared, against a full refresh", "safe_once", "full_refresh", 1.3),
    Target("10m", "one unit a commit, against the bare loop", "safe_declared", "loop", 2.0),
    Target("10m", "units_per_commit: auto, against a full refresh", "safe_auto", "full_refresh", 1.5),
    Target("10m", "row-level target with backup, against the bare loop", "copied_safe", "copied_loop", 3.0),
]
PLAN_UNITS, PLAN_SECONDS = 100_000, 5.0


def judged(target: Target, results: Results) -> list[str]:
    """A row of the table of targets."""
    ratio = results.ratio(target.key, target.base, target.name)
    cpu = results.ratio(target.key, target.base, "cpu_seconds") if target.name == "seconds" else None
    # what no operation can undercut that does the same commits
    shows_loop = target.size == "100m" and target.key != "safe_once" and target.base != "loop"
    loop = results.ratio("loop", target.base, target.name) if shows_loop else None
    size = target.size.upper().replace("M", " M rows")
    limit = f"at most {target.limit:.2f}"
    if ratio is None:
        return [size, target.words, limit, "not measured", "", "", "–"]
    return [
        size,
        target.words,
        limit,
        f"{ratio:.2f}",
        f"{cpu:.2f}" if cpu is not None else "",
        f"{loop:.2f}" if loop is not None else "",
        "met" if ratio <= target.limit else "**not met**",
    ]
