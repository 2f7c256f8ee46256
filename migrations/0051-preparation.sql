-- Preparation and wrap-up: the owner's work before and after an appointment of a type.

alter table appointment_types
  add column prepare_minutes integer not null default 0
    check (prepare_minutes between 0 and 240 and prepare_minutes % 5 = 0),
  add column wrap_up_minutes integer not null default 0
    check (wrap_up_minutes between 0 and 240 and wrap_up_minutes % 5 = 0);

-- The minutes at the time of booking (rule B12). `occupied` is [starts_at - preparation, ends_at + wrap-up): the time that the
-- appointment occupies its person and its exclusive location. The zone makes the sums immutable. `blocked` is that and the buffer.
-- The two exclusion constraints held the time of the appointment alone before.
alter table appointments
  add column prepare_minutes integer not null default 0
    check (prepare_minutes between 0 and 240 and prepare_minutes % 5 = 0),
  add column wrap_up_minutes integer not null default 0
    check (wrap_up_minutes between 0 and 240 and wrap_up_minutes % 5 = 0),
  add column occupied tstzrange not null generated always as (
    tstzrange(
      (starts_at at time zone 'UTC' - make_interval(mins => prepare_minutes)) at time zone 'UTC',
      (ends_at at time zone 'UTC' + make_interval(mins => wrap_up_minutes)) at time zone 'UTC'
    )
  ) stored,
  drop constraint appointments_check1,
  add constraint appointments_blocked_holds_occupied check (
    lower(blocked) = lower(occupied) and upper(blocked) >= upper(occupied) and not upper_inc(blocked) and lower_inc(blocked)
  ),
  drop constraint appointments_no_location_conflict,
  add constraint appointments_no_location_conflict exclude using gist (
    conflict_location_id with =,
    occupied with &&
  ) where (conflict_location_id is not null and status <> 'cancelled' and released_at is null),
  drop constraint appointments_no_person_conflict,
  add constraint appointments_no_person_conflict exclude using gist (
    host_id with =,
    occupied with &&
  ) where (status <> 'cancelled' and released_at is null and not allows_overlap);
