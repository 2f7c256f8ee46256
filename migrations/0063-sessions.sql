-- Group sessions: several customers of a type with seats share one time.

alter table appointment_types
  add column seats integer check (seats between 2 and 500),
  add column shows_seats boolean not null default true;

-- An appointment with a session has its start and end. A session takes no time itself: its appointments do.
create table group_sessions (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  -- No foreign keys, like those of an appointment.
  appointment_type_id uuid not null,
  location_id uuid,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- As agreed with the first customer, so that every seat takes the same time.
  prepare_minutes integer not null,
  wrap_up_minutes integer not null,
  seats integer not null check (seats between 2 and 500),
  seats_taken integer not null default 0,
  primary key (calendar_id, id),
  unique (calendar_id, id, starts_at, ends_at),
  check (starts_at < ends_at),
  constraint group_sessions_seats_taken check (seats_taken between 0 and seats)
);
create index group_sessions_starts_at_idx on group_sessions (calendar_id, starts_at) where seats_taken > 0;

-- Appointments with the same `time_key` share their time. The range comes before it in the indexes: GiST splits pages by the
-- first column that differs, and keys in random order would scatter neighbouring times.
alter table appointments
  add column session_id uuid,
  add column time_key uuid not null generated always as (coalesce(session_id, id)) stored,
  add foreign key (calendar_id, session_id, starts_at, ends_at) references group_sessions (calendar_id, id, starts_at, ends_at)
    -- A session that moves takes its appointments with it.
    deferrable initially deferred,
  drop constraint appointments_no_double_booking,
  add constraint appointments_no_double_booking exclude using gist (
    calendar_id with =,
    blocked with &&,
    time_key with <>
  ) where (status <> 'cancelled' and released_at is null),
  drop constraint appointments_no_location_conflict,
  add constraint appointments_no_location_conflict exclude using gist (
    conflict_location_id with =,
    occupied with &&,
    time_key with <>
  ) where (conflict_location_id is not null and status <> 'cancelled' and released_at is null),
  drop constraint appointments_no_person_conflict,
  add constraint appointments_no_person_conflict exclude using gist (
    host_id with =,
    occupied with &&,
    time_key with <>
  ) where (status <> 'cancelled' and released_at is null and not allows_overlap);
create index appointments_session_idx on appointments (calendar_id, session_id) where session_id is not null;

-- Counts the appointments that take their time, by the condition of the exclusion constraints.
create function count_seats() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.session_id is not null and old.status <> 'cancelled' and old.released_at is null then
    update group_sessions set seats_taken = seats_taken - 1 where calendar_id = old.calendar_id and id = old.session_id;
  end if;
  if tg_op <> 'DELETE' and new.session_id is not null and new.status <> 'cancelled' and new.released_at is null then
    update group_sessions set seats_taken = seats_taken + 1 where calendar_id = new.calendar_id and id = new.session_id;
  end if;
  return null;
end
$$;
create trigger appointments_seat_taken after insert on appointments
  for each row when (new.session_id is not null) execute function count_seats();
create trigger appointments_seat_changed after update of session_id, status, released_at on appointments
  for each row when (
    (old.session_id, old.status <> 'cancelled' and old.released_at is null)
      is distinct from (new.session_id, new.status <> 'cancelled' and new.released_at is null)
  ) execute function count_seats();
create trigger appointments_seat_removed after delete on appointments
  for each row when (old.session_id is not null) execute function count_seats();
