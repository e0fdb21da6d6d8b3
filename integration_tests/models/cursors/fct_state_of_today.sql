{{ config(materialized='incremental', incremental_strategy='append') }}
select current_date as seen_on, customer_id, tier from {{ source('raw', 'customers') }}
