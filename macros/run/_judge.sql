{#- May this commit stand? {ok, state, message}: the first unit that may not decides. -#}
{% macro _judge(plan, facts) %}
    {%- if facts[0].lease == 0 -%}
        {%- do return({'ok': false, 'state': 'planned', 'lost': true,
            'message': 'was not written: the lease has been taken by another backfill'}) -%}
    {%- endif -%}
    {%- for unit in facts -%}
        {%- if plan.get('seen') is not none and plan.seen.get(unit.position) != unit.checksum_before -%}
            {%- do return({
                'ok': false, 'state': 'deferred',
                'message': 'was written to since its rows were read; ask again, and they are read anew',
            }) -%}
        {%- endif -%}
        {%- set message = backfill_safety._vanishing(plan.request, unit) -%}
        {%- if message is not none -%} {%- do return({'ok': false, 'state': 'failed', 'message': message}) -%} {%- endif -%}
        {%- if unit.broken -%}
            {%- do return({'ok': false, 'state': 'failed', 'message': 'expect: ' ~ unit.broken | join(', ') ~ ' does not hold'}) -%}
        {%- endif -%}
        {%- if unit.past > 0 -%}
            {%- do return({
                'ok': false, 'state': 'deferred',
                'message': 'holds ' ~ backfill_safety._rows_word(unit.past)
                    ~ ' newer than the cursor; let the live run catch up, then resume',
            }) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do return({'ok': true}) -%}
{% endmacro %}


{#- P6: what would be lost, as a message; none where nothing that counts is. -#}
{% macro _vanishing(request, unit) %}
    {%- if unit.rows_before > 0 and unit.rows_after == 0 -%}
        {%- do return(none if request.expect.get('allow_empty') else 'would become empty ('
            ~ backfill_safety._rows_word(unit.rows_before) ~ ' now); write expect: {allow_empty: true} if it is meant to be') -%}
    {%- endif -%}
    {%- set lost = unit.lost if request.key_columns else unit.keys_before - unit.keys_after -%}
    {%- set allowed = request.expect.get('max_shrink', 0.05) -%}
    {%- if unit.keys_before > 0 and lost > allowed * unit.keys_before -%}
        {%- do return(backfill_safety._shrunk_words(request, unit, lost, allowed)) -%}
    {%- endif -%}
    {%- do return(none) -%}
{% endmacro %}


{% macro _shrunk_words(request, unit, lost, allowed) %}
    {%- set word = 'keys' if request.key_columns else 'distinct rows' -%}
    {%- do return(
        'would lose ' ~ backfill_safety._grouped(lost) ~ ' of ' ~ backfill_safety._grouped(unit.keys_before) ~ ' ' ~ word
            ~ ' and the limit is '
        ~ (allowed * 100) | round(1) ~ ' %; write expect: {max_shrink: ' ~ ((lost / unit.keys_before) | round(2, 'ceil'))
            ~ '} if that is right'
        ~ (', or expect: {keep_missing: true}' if request.key_columns else '')
    ) -%}
{% endmacro %}
