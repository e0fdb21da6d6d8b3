"""Templates of a stranger: each costs its own model, quickly, and touches nothing outside."""

from __future__ import annotations

import time

import pytest
from synthetic import manifest

from backfill_safety.render import Renderer

MACROS = {
    "endless": "{% macro endless() %}{{ endless() }}{% endmacro %}",
    "ping": "{% macro ping() %}{{ pong() }}{% endmacro %}",
    "pong": "{% macro pong() %}{{ ping() }}{% endmacro %}",
    "wide": "{% macro wide(n) %}{% if n > 0 %}{{ wide(n - 1) }}{{ wide(n - 1) }}{% endif %}{% endmacro %}",
    "again": "{% macro again(n) %}{% do return(again(n + 1)) %}{% endmacro %}",
    "wrap": "{% macro wrap() %}{{ caller() }}{{ caller() }}{% endmacro %}",
}

STEPS = "its template takes more than 200,000 steps"
LONG = "its template makes a text of more than 2,000,000 characters"
MANY = "its template makes a list of more than 100,000 items"
NUMBER = "its template makes a number of more than a thousand digits"

BOMBS = {
    "loops in loops": (
        "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}",
        STEPS,
    ),
    "a loop over a loop's own list": (
        "{% for a in range(99999) %}{% set x = range(99999) | list %}{% endfor %}",
        STEPS,
    ),
    "a long range": ("{% for a in range(10 ** 12) %}x{% endfor %}", "its template fails: OverflowError"),
    "a loop that adds to its list": (
        "{% set x = [1] %}{% for a in range(90000) %}{% do x.extend(x) %}{% endfor %}",
        MANY,
    ),
    "a text times a number": ("{{ 'x' * 10 ** 9 }}", LONG),
    "a number times a text": ("{{ 10 ** 9 * 'x' }}", LONG),
    "a list times a number": ("{% set x = [0] * 10 ** 9 %}", MANY),
    "a tower of powers": ("{{ 9 ** (9 ** 9) }}", NUMBER),
    "a number squared over and over": (
        "{% set n = namespace(x=9) %}{% for a in range(99) %}{% set n.x = n.x * n.x %}{% endfor %}",
        NUMBER,
    ),
    "a text doubled by ~": (
        "{% set n = namespace(x='ab') %}{% for a in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
        None,
    ),
    "a text doubled by +": (
        "{% set n = namespace(x='ab') %}{% for a in range(99) %}{% set n.x = n.x + n.x %}{% endfor %}",
        LONG,
    ),
    "a text doubled by a block": (
        "{% set n = namespace(x='ab') %}{% for a in range(99) %}"
        "{% set y %}{{ n.x }}{{ n.x }}{% endset %}{% set n.x = y %}{% endfor %}",
        LONG,
    ),
    "a text doubled by replace": (
        "{% set n = namespace(x='ab') %}{% for a in range(99) %}"
        "{% set n.x = n.x.replace('a', n.x) %}{% endfor %}",
        LONG,
    ),
    "a text doubled by the filter replace": (
        "{% set n = namespace(x='ab') %}{% for a in range(99) %}"
        "{% set n.x = n.x | replace('a', n.x) %}{% endfor %}",
        LONG,
    ),
    "a wide join": ("{{ ('x' * 3000000).join(['a'] * 90000) }}", LONG),
    "a wide filter join": ("{{ ['a'] * 90000 | join('x' * 3000000) }}", None),
    "a padded text": (
        "{{ 'x' | center(10 ** 9) }}",
        "its template calls the filter center with a number above 100,000",
    ),
    "a method that pads": (
        "{{ 'x'.ljust(10 ** 9) }}",
        "its template pads a text to more than 100,000 characters",
    ),
    "tabs": ("{{ '\t'.expandtabs(10 ** 9) }}", "its template pads a text to more than 100,000 characters"),
    "a width in %": ("{{ '%1000000000d' % 1 }}", "its template pads a text to more than 999 characters by %"),
    "a width from the values in %": (
        "{{ '%*d' % (10 ** 9, 1) }}",
        "its template pads a text to more than 999 characters by %",
    ),
    "a width in format()": (
        "{{ '{:>1000000000}'.format(1) }}",
        "its template pads a text to more than 999 characters by format()",
    ),
    "a nested width in format()": (
        "{{ '{:>{}}'.format(1, 10 ** 9) }}",
        "its template pads a text to more than 999 characters by format()",
    ),
    "a width in the filter format": (
        "{{ '%1000000000d' | format(1) }}",
        "its template pads a text to more than 999 characters by %",
    ),
    "an indent": ("{{ ('a\n' * 90000) | indent(90000) }}", LONG),
    "indented JSON": (
        "{{ [1, 2] | tojson(indent=10 ** 9) }}",
        "its template calls the filter tojson with a number above 100,000",
    ),
    "a list in itself, twice, over and over": (
        "{% set n = namespace(x=[1]) %}{% for a in range(90) %}{% set n.x = [n.x, n.x] %}{% endfor %}"
        "{{ n.x }}",
        None,
    ),
    "a tuple as a key": (
        "{% set n = namespace(x=(1, 2)) %}{% for a in range(40) %}{% set n.x = (n.x, n.x) %}{% endfor %}"
        "{{ {}[n.x] }}",
        None,
    ),
    "a comparison of nested lists": (
        "{% set n = namespace(x=[1], y=[1]) %}{% for a in range(40) %}"
        "{% set n.x = [n.x, n.x] %}{% set n.y = [n.y, n.y] %}{% endfor %}{{ n.x == n.y }}",
        "its template handles more than 100,000 items at once",
    ),
    "a list that holds itself": (
        "{% set x = [] %}{% do x.append(x) %}{{ x | tojson }}",
        "its template nests values more than 50 deep",
    ),
    "a macro that calls itself": ("{{ endless() }}", "its template calls macros more than 60 deep"),
    "two macros that call each other": ("{{ ping() }}", "its template calls macros more than 60 deep"),
    "a macro that returns itself": ("{{ again(0) }}", "its template calls macros more than 60 deep"),
    "a tree of macros": ("{{ wide(50) }}", STEPS),
    "callers in callers": ("{% call wrap() %}" * 40 + "x" + "{% endcall %}" * 40, None),
    "an endless iterator": ("{{ modules.itertools.count() | list }}", MANY),
    "a cycle in a loop": ("{% for x in modules.itertools.cycle([1]) %}x{% endfor %}", STEPS),
    "a product": ("{% for x in modules.itertools.product(range(999), repeat=9) %}x{% endfor %}", None),
    "permutations": ("{{ modules.itertools.permutations(range(99)) }}", STEPS),
    "a regular expression that backtracks": (
        "{{ modules.re.match('(a+)+$', 'a' * 60 ~ 'b') }}",
        "its template tries a regular expression that repeats a choice or a repeat",
    ),
    "a regular expression that repeats a choice": (
        "{{ modules.re.match('(a|aa)*$' , 'a' * 60 ~ 'c') }}",
        "its template tries a regular expression that repeats a choice or a repeat",
    ),
    "a regular expression of many repeats": (
        "{{ modules.re.match('a*a*a*a*a*a*b', 'a' * 9000) }}",
        "its template tries a regular expression that is too long, or on too long a text",
    ),
    "a huge regular expression": (
        "{{ modules.re.match('a?' * 400 ~ 'a' * 400, 'a' * 400) }}",
        "its template tries a regular expression that is too long, or on too long a text",
    ),
    "a replacement that grows": ("{{ modules.re.sub('', 'x' * 9000, 'a' * 19000) }}", LONG),
    "YAML aliases": (
        "{{ fromyaml('a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b]') }}",
        "",
    ),
    "deep JSON": ("{{ fromjson('[' * 90000) }}", ""),
    "a deep expression": ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "its template nests too deep"),
    "a long sum": ("{{ " + " + ".join(["1"] * 20000) + " }}", "its template nests too deep"),
    "deep blocks": ("{% if 1 %}" * 3000 + "{% endif %}" * 3000, None),
    "many tags": ("{{ 1 }}" * 30000, "its template is a template of more than 20,000 tags"),
    "a huge template": ("x" * 2_000_000, "its template is a template of more than 1,000,000 characters"),
    "a slice filter": (
        "{{ [1] | slice(10 ** 9) | list }}",
        "its template calls the filter slice with a number above 100,000",
    ),
    "nested slices": (
        "{% for x in range(99999) | slice(99999) %}{% for y in range(99999) | slice(99999) %}"
        "{% endfor %}{% endfor %}",
        None,
    ),
    "maps over maps": ("{{ range(90000) | map('string') | map('center', 90000) | list }}", STEPS),
    "a number from a long text": ("{{ ('9' * 90000) | int }}", NUMBER),
    "sorting a text": ("{{ ('ab' * 900000) | sort | join }}", MANY),
    "lipsum": ("{{ lipsum(10 ** 9) }}", "'lipsum' is undefined"),
    "long output": (
        "{% for a in range(9999) %}{{ 'x' * 900 }}{% endfor %}",
        "its template makes SQL of more than 2,000,000 characters",
    ),
    "many small templates": ("{% for a in range(9999) %}{{ render('{{ 1 }}') }}{% endfor %}", STEPS),
    "a template that renders itself": (
        "{{ render(model.raw_code) }}",
        "its template calls macros more than 60 deep",
    ),
}

ESCAPES = {
    "classes": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "classes by item": "{{ ''['__class__'] }}",
    "classes by attr": "{{ '' | attr('__class__') | attr('__base__') }}",
    "classes by format": "{{ '{0.__class__.__init__.__globals__}'.format(ref) }}",
    "classes by format_map": "{{ '{x.__class__}'.format_map({'x': ref}) }}",
    "classes by map": "{{ [''] | map(attribute='__class__') | list }}",
    "format through attr": "{{ ('{0.__class__}' | attr('format'))(ref) }}",
    "globals of a function": "{{ ref.__globals__ }}",
    "globals of a macro": "{{ wrap.__globals__ }}",
    "self of a method": "{{ ref.__self__ }}",
    "a generator's frame": "{{ ([1] | map('string')).gi_frame }}",
    "code of a function": "{{ fromjson.__code__ }}",
    "the environment": "{{ self._TemplateReference__context.environment }}",
    "builtins": "{{ builtins.__class__ }}",
    "the scope behind a value": "{{ config._scope }}",
    "the scope behind var": "{{ var._scope }}",
    "the tracer behind an unknown value": "{{ var('x')._tracer }}",
    "the sandbox behind re": "{{ modules.re._sandbox }}",
    "os": "{{ modules.os }}",
    "sys through datetime": "{{ modules.datetime.sys }}",
    "open": "{{ open }}",
    "a zone file": "{{ modules.pytz.timezone('../../../etc/passwd') }}",
    "the environment's variables": "{{ env_var('HOME') }}",
    "an include": "{% include '/etc/passwd' %}",
    "an import": "{% import '/etc/passwd' as x %}{{ x }}",
    "an extends": "{% extends '/etc/passwd' %}",
    "a change of the shared config": "{% do config.get('tags').append('x') %}",
    "a change of the shared model": "{% do model.config.update({'materialized': 'table'}) %}",
    "a change of the shared graph": "{% do graph.nodes.clear() %}",
    "a change of a package": "{% do dbt.clear() %}",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_costs_its_own_model(name: str) -> None:
    template, expected = BOMBS[name]
    known = manifest({"bomb": template, "fine": "select 1 as id"}, MACROS)
    renderer = Renderer(known)
    begun = time.process_time()
    rendering = renderer.render(known.find("bomb"), "first")
    assert time.process_time() - begun < 7
    if expected is None:
        assert rendering.error is not None
    elif expected == "":
        assert rendering.error is None
    else:
        assert (rendering.error or "").startswith(expected)
    assert renderer.render(known.find("fine"), "first").sql == "select 1 as id"


@pytest.mark.parametrize("name", ESCAPES)
def test_nothing_outside_is_in_reach(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/secret/home")
    known = manifest(
        {"m": {"raw_code": ESCAPES[name], "config": {"tags": ["a"]}}},
        {**MACROS, "dbt.x": "{% macro x() %}{% endmacro %}"},
    )
    renderer = Renderer(known)
    shown = renderer.render(known.find("m"), "first")
    told = f"{shown.sql} {shown.error}"
    for leak in ("<class", "<function", "module", "root:", "/secret/home", "object at", "0x"):
        assert leak not in told, told
    assert known.find("m").config["tags"] == ["a"]
    assert known.find("m").materialized == "incremental"
