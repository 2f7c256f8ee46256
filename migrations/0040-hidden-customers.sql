-- Whoever has no settings of their own, and whose profession keeps secrets, hides customers in events from now on. Calendars whose
-- events are written already keep what they have: a row of their own says so.
insert into external_calendar_settings (calendar_id)
select calendar_id from used_external_calendars where writes_events
union
select calendar_id from calendar_feeds
on conflict do nothing;
