-- Where a place is used. Deleting one looks here, and so does whoever asks what would happen.

create index calendar_locations_location_id_idx on calendar_locations (location_id);
create index appointment_types_location_id_idx on appointment_types (location_id) where location_id is not null;
create index appointments_location_id_idx on appointments (location_id, starts_at) where location_id is not null;
