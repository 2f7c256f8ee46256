-- Appointments of a customer at the same time of day every few weeks. Each date is an ordinary appointment.

create table series (
  calendar_id uuid not null references calendars (id) on delete cascade,
  id uuid not null,
  every_weeks integer not null check (every_weeks in (1, 2, 4)),
  -- The first date and the time of day, on the clock of the calendar.
  first_date date not null,
  local_time time not null,
  -- How many dates have been decided about, counted from the first one: booked, left out, or reported as impossible.
  planned integer not null check (planned >= 1),
  -- True for a standing appointment: a job books further dates until it ends.
  is_standing boolean not null,
  -- The warnings that the owner overrode at the first date. The job overrides them too, and no others.
  overridden text[] not null,
  ended_at timestamptz,
  created_at timestamptz not null,
  primary key (calendar_id, id)
);
create index series_standing_idx on series (calendar_id, id) where is_standing and ended_at is null;

-- The series that an appointment belongs to, and its place in it from 1.
alter table appointments
  add column series_id uuid,
  add column series_number integer check (series_number >= 1),
  add constraint appointments_series_whole check ((series_id is null) = (series_number is null)),
  add constraint appointments_series_fkey foreign key (calendar_id, series_id) references series;
create unique index appointments_series_idx on appointments (calendar_id, series_id, series_number)
  where series_id is not null;

-- A date of a standing appointment that could not be booked.
alter table page_problems
  add column series_id uuid,
  add column date date,
  -- Why the date could not be booked.
  add column reason text,
  add foreign key (calendar_id, series_id) references series on delete cascade,
  drop constraint page_problems_kind_check,
  add constraint page_problems_kind_check check (
    kind in (
      'no_hours', 'taken_elsewhere', 'nothing_offered', 'type_never_fits', 'type_hours_never_meet', 'no_payment_account',
      'standing_date_missed'
    )
  ),
  drop constraint page_problems_calendar_id_kind_appointment_type_id_key,
  add constraint page_problems_once unique nulls not distinct (calendar_id, kind, appointment_type_id, series_id, date),
  add constraint page_problems_of_series check (
    (series_id is not null) = (kind = 'standing_date_missed') and (series_id is null) = (date is null) and (series_id is null) = (reason is null)
  );
