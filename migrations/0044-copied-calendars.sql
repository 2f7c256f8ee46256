-- Calendars that are copies of another one, and calendars whose owner has turned bookings off.

alter table calendars
  -- False while the owner has turned bookings off, as at first in a copy. `is_paused` is set by the plan, not by the owner.
  add column takes_bookings boolean not null default true,
  -- The idempotency key of the request that made the copy.
  add column copy_key text;
create unique index calendars_copy_key_idx on calendars (user_id, copy_key) where copy_key is not null;
