-- A random value for the event of each appointment. It is part of the event's id and stands in a private property, so nobody can
-- predict the id or pass another event off as ours. It does not change when SECRET_KEY does.
create table event_secrets (
  calendar_id uuid not null,
  appointment_id uuid not null,
  secret uuid not null default gen_random_uuid(),
  primary key (calendar_id, appointment_id),
  foreign key (calendar_id, appointment_id) references appointments on delete cascade
);

-- Events that were written before have no secret yet. Those still to come are written again, which adds it.
update appointments set needs_google_sync = true
from appointment_events as written
where written.calendar_id = appointments.calendar_id and written.appointment_id = appointments.id
  and written.starts_at > now() and appointments.status <> 'cancelled' and not needs_google_sync;
