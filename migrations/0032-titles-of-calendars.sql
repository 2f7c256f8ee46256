-- A search for one or two letters cannot use the index of typed titles by their letters. It looks through those of its calendar, which are
-- usually few. Without this index it looked through all appointments.
create index appointments_typed_idx on appointments (calendar_id) where typed_title is not null;
