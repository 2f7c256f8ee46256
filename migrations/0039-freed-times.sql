-- The waiting list offers only times that became free after somebody asked for a place (rule Z3).

-- Numbers every look at the free times of any calendar. Two events can have the same time on a clock, but never the same number.
create sequence waiting_look_numbers;

-- The free times of a calendar as the last look found them. `look_no` is the number of the look that found a time free first.
create table waiting_free_times (
  calendar_id uuid not null references calendars on delete cascade,
  -- Null on a calendar without types.
  appointment_type_id uuid,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  look_no bigint not null,
  unique nulls not distinct (calendar_id, appointment_type_id, starts_at)
);
create index waiting_free_times_starts_at_idx on waiting_free_times (starts_at);

-- Times that look `look_no` or an earlier one found free are not offered: they were free when the customer asked. Null when no look
-- has found out what was free then, as for requests of earlier versions; the next look does.
alter table waiting_entries add column look_no bigint;

-- Who asked, as keyed hashes: an offer counts as a hold of theirs (rule H2). Null for the owner and for requests of earlier versions.
alter table waiting_entries add column client_key text;
alter table waiting_entries add column network_key text;
