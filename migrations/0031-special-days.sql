-- Dates in a row that have hours of their own instead of the weekly ones, in the wall clock of the calendar's zone (rule T34). Without
-- a row in special_hours they are closed.
create table special_days (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  first_date date not null,
  last_date date not null,
  -- For the owner only.
  note text check (btrim(note) <> '' and length(note) <= 100),
  primary key (calendar_id, id),
  check (first_date <= last_date),
  constraint special_days_no_overlap exclude using gist (
    calendar_id with =,
    daterange(first_date, last_date, '[]') with &&
  )
);

-- One opening of special days, [start_time, end_time). 24:00:00 is a valid end.
create table special_hours (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  special_days_id uuid not null,
  start_time time not null,
  end_time time not null,
  primary key (calendar_id, id),
  foreign key (calendar_id, special_days_id) references special_days on delete cascade,
  check (start_time < end_time),
  constraint special_hours_no_overlap exclude using gist (
    calendar_id with =,
    special_days_id with =,
    int4range(extract(epoch from start_time)::integer, extract(epoch from end_time)::integer) with &&
  )
);
