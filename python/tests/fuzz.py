"""Throws made-up manifests and templates at reader, renderer and judge: only what they document may come out.

The suite runs a short fuzz (`hostile/test_hostile_fuzz.py`). `python python/tests/fuzz.py 10` runs ten
minutes, and prints how many manifests and templates it tried.
"""

from __future__ import annotations

import random
import re
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning
from synthetic import document, encoded

from backfill_safety.checks.judge import Judge
from backfill_safety.manifest import ManifestError, read_manifest
from backfill_safety.render import Renderer

SCALARS = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=20)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=9,
)

NAMES = """ref source var this config target flags model graph adapter api modules exceptions builtins
    context execute is_incremental run_query load_result statement env_var return render tojson fromjson toyaml
    fromyaml set zip range namespace dict loop caller x y m up noisy shop dbt run_started_at results log"""
ATTRIBUTES = """items keys append extend update name render get format replace split strftime date now columns
    values datetime timedelta re itertools pytz match product Relation create nodes __class__ __init__ type"""
FILTERS = """upper lower trim list join replace length int float tojson map select sort unique default first
    batch format"""
LITERALS = """1|0|-7|99999|10 ** 9|'a'|''|'%s'|'{}'|none|true|[]|[1, 'b']|{'k': 1}|(1, 2)|ref('up')|var('a')
    |var('b')|var('c', 3)|run_query('q')"""
OPERATORS = "+ - * / % ** // ~ == < in and or"

SQL = """select * from {{ ref('up') }}
where d >= '{{ var('a') }}'
{% if is_incremental() %}where t > (select max(t) from {{ this }}){% endif %}
with a as (select 1 as x)
select a, count(*) over (partition by b order by c) from {{ source('raw', 'orders') }}
and t between current_date - interval '3 days' and now()
union all
left join b on a.x = b.x where b.x is null
group by 1 order by 2 limit 3
(select
)
,
;""".splitlines()

WORDS = [*NAMES.split(), *(word.strip() for word in LITERALS.split("|"))]


def _of(words: str) -> st.SearchStrategy[str]:
    return st.sampled_from(words.split())


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions made of smaller ones."""
    listed = st.lists(inner, max_size=3).map(", ".join)
    return st.one_of(
        st.tuples(inner, _of(ATTRIBUTES)).map(".".join),
        st.tuples(inner, listed).map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"{p[0]}[{p[1]}]"),
        st.tuples(inner, _of(FILTERS)).map(" | ".join),
        st.tuples(inner, _of(OPERATORS), inner).map(lambda p: f"({' '.join(p)})"),
        st.tuples(inner, _of("none string iterable mapping defined")).map(lambda p: f"({p[0]} is {p[1]})"),
        listed.map(lambda p: f"[{p}]"),
        st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
    )


expression = st.recursive(st.sampled_from(WORDS), _grown, max_leaves=8)


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Statements around smaller templates."""
    around = st.tuples(expression, inner)
    return st.one_of(
        around.map(lambda p: f"{{% if {p[0]} %}}{p[1]}{{% else %}}no{{% endif %}}"),
        around.map(lambda p: f"{{% for x in {p[0]} %}}{p[1]}{{% endfor %}}"),
        around.map(lambda p: f"{{% for x, y in {p[0]} %}}{p[1]}{{% endfor %}}"),
        st.tuples(inner, inner).map(lambda p: f"{{% set y %}}{p[0]}{{% endset %}}{p[1]}"),
        st.tuples(inner, inner).map("\n".join),
        inner.map(lambda p: f"{{% call noisy(1) %}}{p}{{% endcall %}}"),
        inner.map(lambda p: f"{{% filter upper %}}{p}{{% endfilter %}}"),
    )


leaf = st.one_of(
    expression.map(lambda e: f"{{{{ {e} }}}}"),
    expression.map(lambda e: f"{{% set x = {e} %}}"),
    expression.map(lambda e: f"{{% do {e} %}}"),
    expression.map(lambda e: f"{{{{ config(unique_key={e}) }}}}"),
    st.text(max_size=30),
    st.sampled_from(["{{", "{%", "%}", "{#", "#}", "-- ", "/*", *SQL]),
)
template = st.recursive(leaf, _nested, max_leaves=6)
BODY = "{{ a }}{% set x = [a] %}{{ caller() if caller }}{{ return([b, x]) }}"
MACROS = {"noisy": f"{{% macro noisy(a, b=2) %}}{BODY}{{% endmacro %}}"}


def try_template(text: str, loop: str) -> bool:
    """Render a template in both branches. True if it could be rendered."""
    models: dict[str, Any] = {
        "m": {"raw_code": text, "config": {"post-hook": loop}},
        "up": {"raw_code": loop, "config": {"materialized": "ephemeral"}},
    }
    known = read_manifest(encoded(document(models, MACROS)))
    renderer = Renderer(known, {"a": "2024-01-01"})
    rendered = True
    for branch in ("first", "live"):
        rendering = renderer.render(known.find("m"), branch)  # type: ignore[arg-type]
        told = f"{rendering.sql}{rendering.marked}{rendering.error}"
        assert not re.search(r" at 0x[0-9a-f]+>", told, re.I)
        assert len(rendering.lines) == (0 if rendering.error else rendering.sql.count("\n") + 1)
        assert rendering.marked.count("\n") == rendering.sql.count("\n")
        last = len(re.split(r"\r\n|\r|\n", text))  # what Jinja, too, takes for the end of a line
        assert all(line is None or 1 <= line <= last for line in rendering.lines)
        assert not set("\ue000\ue001\ue002") & set(told)
        rendered = rendered and rendering.error is None
    assert known.find("m").config["post-hook"] == loop
    Judge(known, {"a": "2024-01-01"}).model(known.find("m"))
    return rendered


def mutated(content: Any, pick: random.Random, value: Any) -> Any:
    """JSON with one value somewhere replaced or left out."""
    if isinstance(content, dict) and content and pick.random() < 0.9:
        key = pick.choice(sorted(content))
        if pick.random() < 0.15:
            return {k: v for k, v in content.items() if k != key}
        return {**content, key: mutated(content[key], pick, value)}
    if isinstance(content, list) and content and pick.random() < 0.7:
        place = pick.randrange(len(content))
        return [*content[:place], mutated(content[place], pick, value), *content[place + 1 :]]
    return value


def try_manifest(seed: int, value: Any, cut: int) -> bool:
    """Read a broken manifest, and render what can be read. True if it could be read."""
    pick = random.Random(seed)  # noqa: S311  # not for secrets
    models = {"m": "{{ noisy(var('a')) }}{{ this }}{{ ref('up') }}", "up": "select 1"}
    content: Any = document(models, MACROS)
    content = mutated(content, pick, value)
    data = encoded(content)
    if cut:
        place = pick.randrange(len(data))
        data = data[:place] + bytes([cut]) + data[place + pick.randint(0, 2) :]
    try:
        known = read_manifest(data)
    except ManifestError:
        return False
    renderer = Renderer(known)
    for node in known.nodes.values():
        renderer.render(node, "live")
    for operation in known.operations:
        renderer.render_operation(operation)
    judge = Judge(known)
    for node in known.nodes.values():
        judge.model(node)
    judge.operations()
    return True


def main(minutes: float) -> None:
    until = time.monotonic() + 60 * minutes
    tried: Counter[str] = Counter()
    often = settings(
        max_examples=400,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    warnings.simplefilter("ignore", HypothesisWarning)

    @often
    @given(template, template)
    def templates(text: str, loop: str) -> None:
        tried["templates rendered" if try_template(text, loop) else "templates refused"] += 1

    @often
    @given(st.integers(0, 2**32), JSON, st.sampled_from([0] * 9 + [34, 44, 91, 125, 255]))
    def manifests(seed: int, value: Any, cut: int) -> None:
        tried["manifests read" if try_manifest(seed, value, cut) else "manifests refused"] += 1

    while time.monotonic() < until:
        templates()
        manifests()
    print(", ".join(f"{count:,} {name}" for name, count in sorted(tried.items())))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10)
