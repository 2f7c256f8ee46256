-- Where a place is used. Deleting one looks here, and so does whoever asks what would happen.

create index calendar_locations_location_id_idx on calendar_locations (location_id);
create index appointment_types_location_id_idx on appointment_types (location_id) where location_id is not null;
create index appointments_location_id_idx on appointments (location_id, starts_at) where location_id is not null;

-- An appointment keeps what was agreed as a copy, and the ids beside it say where it came from, also when that is gone.
-- As foreign keys they had deleting a place or a type write every appointment that was ever booked there.
alter table appointments
  drop constraint appointments_location_id_fkey,
  drop constraint appointments_calendar_id_appointment_type_id_fkey;
-- It was there for the foreign key; how many appointments of a type are still to come is read by their start.
drop index appointments_type_idx;
