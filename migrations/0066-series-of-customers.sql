-- Which series customers can book of an appointment type; null: none.

-- True for a rule with intervals out of 1, 2 and 4 weeks, in order, and the most dates.
create function is_series_rule(rule jsonb) returns boolean language sql immutable as $$
  select coalesce(rule -> 'every_weeks' in ('[1]', '[2]', '[4]', '[1, 2]', '[1, 4]', '[2, 4]', '[1, 2, 4]'), false)
    and case jsonb_typeof(rule -> 'most_dates')
      when 'number' then (rule ->> 'most_dates')::numeric between 2 and 52 and (rule ->> 'most_dates')::numeric % 1 = 0
      else false
    end
$$;

alter table appointment_types
  add column series_rule jsonb
    constraint appointment_types_series_rule check (series_rule is null or is_series_rule(series_rule)),
  -- A customer of a session books each date on its own.
  add constraint appointment_types_series_alone check (series_rule is null or seats is null);
