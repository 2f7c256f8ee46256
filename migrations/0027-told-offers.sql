-- When the email of an offer left, or was refused for good. Null while it waits, and for offers from before this was written down.
alter table waiting_offers add column mailed_at timestamptz;

-- taken: all who fit were told, and somebody else has the time.
alter table waiting_offers drop constraint waiting_offers_state_check;
alter table waiting_offers add constraint waiting_offers_state_check
  check (state in ('open', 'accepted', 'unpaid', 'declined', 'expired', 'withdrawn', 'taken'));
-- Offers that keep no time are looked at whenever a time of their calendar is taken.
create index waiting_offers_told_idx on waiting_offers (calendar_id)
  where state = 'open' and held_appointment_id is null;

-- The list was looked through while nothing could be offered. No job comes for such a note: the sweep looks when something can be.
alter table waiting_looks add column is_kept boolean not null default false;
