-- Starts that customers could not book, with the reasons at that moment, so that the owner can find out why (rules T75 to T77).

create table refusals (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- Counts the refusals of a calendar; the lowest numbers are deleted beyond the most that a calendar keeps.
  number bigint not null,
  -- The last time, when several were folded into one.
  at timestamptz not null,
  times integer not null default 1 check (times > 0),
  starts_at timestamptz not null,
  -- No foreign key: the type may be deleted.
  appointment_type_id uuid,
  reasons text[] not null check (cardinality(reasons) between 1 and 20),
  primary key (calendar_id, id)
);
create index refusals_number_idx on refusals (calendar_id, number);
-- The same refusal within an hour is one row.
create unique index refusals_hour_idx on refusals (
  calendar_id, starts_at, appointment_type_id, reasons, date_trunc('hour', at at time zone 'UTC')
) nulls not distinct;
create index refusals_at_idx on refusals (at);
