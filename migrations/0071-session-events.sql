-- A group session has one event in an external calendar. It belongs to one of the session's seats.
alter table appointment_events add column session_id uuid;
create index appointment_events_session_idx on appointment_events (calendar_id, session_id) where session_id is not null;

alter table external_changes drop constraint external_changes_reason_check;
alter table external_changes add constraint external_changes_reason_check
  check (reason in ('many_deletions', 'many_moves', 'calendar_gone', 'reconnected', 'group_session'));

-- Until now each seat had an event. The events of upcoming sessions are written again, which leaves one for each session.
update appointment_events as written set session_id = appointments.session_id
from appointments
where appointments.calendar_id = written.calendar_id and appointments.id = written.appointment_id
  and appointments.session_id is not null;
update appointments set needs_google_sync = true
from appointment_events as written
where written.calendar_id = appointments.calendar_id and written.appointment_id = appointments.id
  and written.session_id is not null and appointments.ends_at > now() and not needs_google_sync;
