-- Another owner can use a shareable location only with a code that its owner gives them, and only until its owner ends that.

alter table locations
  add column sharing_code text unique,
  add constraint locations_private_without_code check (shareable or sharing_code is null);

-- Ten letters and digits that nobody mistakes for each other, in two groups. The first 12 digits of a random uuid are random.
update locations set sharing_code = overlay(
  translate(left(replace(gen_random_uuid()::text, '-', ''), 10), '0123456789abcdef', '23456789abcdefgh') placing '-' from 6 for 0
) where shareable;

-- The calendars of other owners that may use a location.
create table location_guests (
  calendar_id uuid not null references calendars on delete cascade,
  location_id uuid not null references locations on delete cascade,
  created_at timestamptz not null default now(),
  primary key (calendar_id, location_id)
);
create index location_guests_location_id_idx on location_guests (location_id);

-- Whoever uses a location now may go on, also those of whom only appointments are left there.
insert into location_guests (calendar_id, location_id)
select calendars.id, locations.id
from (
  select location_id, calendar_id from calendar_locations
  union
  select location_id, calendar_id from appointment_types where location_id is not null
  union
  select location_id, calendar_id from appointments
  where location_id is not null and starts_at > now() - interval '1 day'
) as uses
join locations on locations.id = uses.location_id
join calendars on calendars.id = uses.calendar_id and calendars.user_id <> locations.user_id;
