-- Events of external calendars of which a part cannot be read, for the owner: at most 1,000 of each calendar (rule G30).
create table unreadable_external_events (
  external_calendar_id uuid not null references external_calendars on delete cascade,
  -- As in external_busy_times.
  event_id text not null,
  -- Only the owner reads it.
  title text check (length(title) between 1 and 100),
  -- date: it takes no time. times, zone: it takes all the time that may be meant.
  part text not null check (part in ('date', 'times', 'zone')),
  primary key (external_calendar_id, event_id)
);
-- Calendars that can have such events are read anew as a whole, because nobody noted them until now.
update external_calendars set sync_cursor = null
where connection_id in (select id from calendar_connections where provider in ('caldav', 'ics'));
