-- Who changed which setting of a calendar and when, for 400 days (rules C21 to C24). Triggers write it in the transaction that makes
-- the change. `record_setting_change` drops secrets and columns that say nothing to an owner; each trigger names those of its table.

create table setting_history (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- Counts the changes of a calendar in their order; the lowest numbers are deleted beyond the most that a calendar keeps.
  number bigint not null,
  -- The same for all changes of a transaction.
  at timestamptz not null,
  -- The account of the person who made the change; null when Meridian made it. No foreign key: the account may be deleted.
  who uuid,
  -- The table, and the row in it.
  what text not null,
  row_key text not null,
  -- The name of the row: of an appointment type, a location or a question.
  name text,
  -- The row, or of `calendars` the columns that changed. Null before an insertion and after a deletion. Long texts are
  -- shortened.
  before jsonb,
  after jsonb,
  primary key (calendar_id, id),
  check (before is not null or after is not null)
);
create index setting_history_number_idx on setting_history (calendar_id, number);
create index setting_history_at_idx on setting_history (at);

-- Keeps a row of the history small. Of a long object only the keys that changed are kept, each shortened.
create function shorten_setting(value jsonb, other jsonb) returns jsonb language sql immutable as $$
  select case
    when length(value::text) <= 2000 then value
    when jsonb_typeof(value) = 'object' and coalesce(jsonb_typeof(other), 'object') = 'object' then (
      select jsonb_object_agg(key, case when length(each::text) <= 500 then each else to_jsonb(left(each::text, 500) || '…') end)
      from jsonb_each(value) as entries (key, each)
      where each is distinct from other -> key
    )
    else to_jsonb(left(value::text, 500) || '…')
  end
$$;

-- The arguments are the columns to leave out. `meridian.actor` is the account that acts; see src/server/platform/db/acting-as.ts.
create function record_setting_change() returns trigger language plpgsql as $$
declare
  hidden text[] := array['calendar_id', 'user_id', 'created_at', 'updated_at'] || coalesce(tg_argv, '{}');
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  becomes jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  whole jsonb := coalesce(becomes, was);
  changed_at timestamptz := nullif(current_setting('meridian.changed_at', true), '');
  about uuid;
begin
  was := was - hidden;
  becomes := becomes - hidden;
  if was = becomes then return new; end if;
  if tg_table_name = 'calendars' then
    -- The row is long, and most changes are of one column.
    select jsonb_object_agg(key, value) into was from jsonb_each(was) where value is distinct from becomes -> key;
    becomes := (select jsonb_object_agg(key, becomes -> key) from jsonb_object_keys(was) as key);
  end if;
  if changed_at is null then
    changed_at := clock_timestamp();
    perform set_config('meridian.changed_at', changed_at::text, true);
  end if;
  for about in
    -- A calendar that is being deleted has no row any longer, and needs no history.
    select calendars.id from calendars where calendars.id in (
      select (whole ->> case when tg_table_name = 'calendars' then 'id' else 'calendar_id' end)::uuid
      union
      select calendar_id from calendar_locations where tg_table_name = 'locations' and location_id = (whole ->> 'id')::uuid
      union
      select calendar_id from appointment_types where tg_table_name = 'locations' and location_id = (whole ->> 'id')::uuid
    )
  loop
    with kept as (
      insert into setting_history (calendar_id, number, at, who, what, row_key, name, before, after)
      select about, coalesce(max(number), 0) + 1, changed_at,
        nullif(current_setting('meridian.actor', true), '')::uuid, tg_table_name,
        coalesce(whole ->> 'id', whole ->> 'external_calendar_id', whole ->> 'date', ''),
        left(coalesce(whole ->> 'name', whole ->> 'label'), 200),
        (select jsonb_object_agg(key, shorten_setting(value, becomes -> key)) from jsonb_each(was)),
        (select jsonb_object_agg(key, shorten_setting(value, was -> key)) from jsonb_each(becomes))
      from setting_history where calendar_id = about
      returning number
    )
    delete from setting_history using kept
    where setting_history.calendar_id = about and setting_history.number <= kept.number - 20000;
  end loop;
  return coalesce(new, old);
end
$$;

create trigger setting_history after update on calendars for each row
  execute function record_setting_change('slug', 'copy_key', 'stays_open');
create trigger setting_history after insert or update or delete on availability for each row
  execute function record_setting_change();
create trigger setting_history after insert or update or delete on type_hours for each row
  execute function record_setting_change();
create trigger setting_history after insert or update or delete on special_days for each row
  execute function record_setting_change();
create trigger setting_history after insert or update or delete on special_hours for each row
  execute function record_setting_change();
create trigger setting_history after insert or update or delete on holiday_regions for each row
  execute function record_setting_change();
create trigger setting_history after insert or update or delete on holiday_choices for each row
  execute function record_setting_change();
create trigger setting_history after insert or update or delete on booking_limits for each row
  execute function record_setting_change();
create trigger setting_history after insert or update or delete on appointment_types for each row
  execute function record_setting_change('stripe_price_id');
create trigger setting_history after insert or update or delete on questions for each row
  execute function record_setting_change();
create trigger setting_history after insert or update or delete on calendar_locations for each row
  execute function record_setting_change();
create trigger setting_history after update on locations for each row
  execute function record_setting_change('sharing_code', 'shareable');
-- Before the calendars lose it, so that they can still be found.
create trigger setting_history_deleted before delete on locations for each row
  execute function record_setting_change('sharing_code', 'shareable');
create trigger setting_history after insert or update or delete on external_calendar_settings for each row
  execute function record_setting_change();
create trigger setting_history after insert or update or delete on used_external_calendars for each row
  execute function record_setting_change();
create trigger setting_history after insert or update or delete on payment_settings for each row
  execute function record_setting_change('stripe_account_id', 'stripe_connected_at', 'paypal_merchant_id', 'paypal_email',
    'paypal_client_id', 'paypal_client_secret_encrypted', 'paypal_redirect_uri', 'paypal_webhook_id');
