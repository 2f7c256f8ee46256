-- The waiting list of a calendar: who waits for which times, and which times were offered to them.

-- A time that is held because it was offered to somebody who waits. Nobody has booked it yet.
alter table holds drop constraint holds_reason_check;
alter table holds add constraint holds_reason_check check (reason in ('payment', 'email_confirmation', 'offer'));
alter table appointments add column is_offer boolean not null default false;

create table waiting_entries (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  -- unconfirmed: nobody has shown yet that they read the address. accepted, removed and expired are ends.
  state text not null check (state in ('unconfirmed', 'waiting', 'offered', 'accepted', 'removed', 'expired')),
  added_by text not null check (added_by in ('customer', 'owner')),
  customer_name text not null,
  customer_email text not null,
  customer_phone text,
  customer_time_zone text,
  -- No foreign key, as in appointments: the name stays when the type goes.
  appointment_type_id uuid,
  appointment_type_name text,
  -- The zone in which the dates and the parts of the day are meant.
  time_zone text not null,
  from_date date not null,
  to_date date not null,
  -- 0 is Sunday.
  weekdays smallint[] not null check (cardinality(weekdays) between 1 and 7),
  day_parts text[] not null check (cardinality(day_parts) between 1 and 3),
  -- How many offers in a row were not answered.
  unanswered smallint not null default 0,
  created_at timestamptz not null,
  -- When it got its place: null until the address is confirmed.
  joined_at timestamptz,
  valid_until timestamptz not null,
  ended_at timestamptz,
  -- How often the links in emails to its customer were replaced. Each link says the number that it was written with.
  link_rotation integer not null default 0 check (link_rotation between 0 and 65535),
  primary key (calendar_id, id),
  check (from_date <= to_date),
  check ((state in ('accepted', 'removed', 'expired')) = (ended_at is not null)),
  check (state not in ('waiting', 'offered') or joined_at is not null)
);
-- Who waits, in order.
create index waiting_entries_order_idx on waiting_entries (calendar_id, joined_at, id)
  where state in ('waiting', 'offered');
-- The link in an email names the request alone.
create unique index waiting_entries_id_key on waiting_entries (id);
create index waiting_entries_email_idx on waiting_entries (calendar_id, lower(btrim(customer_email)));
create index waiting_entries_ended_at_idx on waiting_entries (ended_at) where ended_at is not null;
create index waiting_entries_valid_until_idx on waiting_entries (valid_until) where ended_at is null;

create table waiting_offers (
  calendar_id uuid not null,
  id uuid not null,
  entry_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  made_by text not null check (made_by in ('list', 'owner')),
  -- The hold that keeps the time; null when all who fit were told and the first wins.
  held_appointment_id uuid,
  state text not null check (state in ('open', 'accepted', 'unpaid', 'declined', 'expired', 'withdrawn')),
  -- What was booked when it was accepted. unpaid: that was a hold, which ended before its payment came.
  booked_appointment_id uuid,
  offered_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (calendar_id, id),
  foreign key (calendar_id, entry_id) references waiting_entries on delete cascade,
  check ((state = 'open') = (ended_at is null)),
  check ((state in ('accepted', 'unpaid')) = (booked_appointment_id is not null))
);
-- The link in an email names the offer alone.
create unique index waiting_offers_id_key on waiting_offers (id);
create index waiting_offers_entry_idx on waiting_offers (calendar_id, entry_id);
-- Somebody has one offer at a time.
create unique index waiting_offers_open_key on waiting_offers (calendar_id, entry_id) where state = 'open';
create index waiting_offers_booked_idx on waiting_offers (calendar_id, booked_appointment_id)
  where booked_appointment_id is not null;
create index waiting_offers_expires_at_idx on waiting_offers (expires_at) where state = 'open';

-- Calendars on which a time became free since the waiting list was last looked through. The row is locked until the transaction
-- that frees the time has ended, so the look that removes it sees that time.
create table waiting_looks (
  calendar_id uuid primary key references calendars on delete cascade,
  asked_at timestamptz not null default now()
);
