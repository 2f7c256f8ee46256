-- Customers, their appointments, and the keys that keep a repeated request from booking twice.

-- On one calendar, the same address is the same customer with the same client id.
create table customers (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  client_id text not null,
  name text not null,
  -- Null for somebody who booked by phone and gave no address.
  email text,
  phone text,
  created_at timestamptz not null default now(),
  primary key (calendar_id, id),
  unique (calendar_id, client_id)
);
create unique index customers_email_key on customers (calendar_id, lower(btrim(email)));

create table appointments (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  booking_reference text not null,
  customer_id uuid not null,
  -- What the customer typed at this booking. It does not overwrite the customer's own record.
  customer_name text not null,
  customer_phone text,
  customer_time_zone text,
  -- Names the person of the appointment: the customer together with the name and phone of this booking. None of them contains
  -- 0x1F, so two different people never get the same key.
  person_key uuid not null generated always as (
    md5(customer_id::text || e'\x1f' || customer_name || e'\x1f' || coalesce(customer_phone, ''))::uuid
  ) stored,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- The zone that the calendar had when the appointment was booked.
  time_zone text not null,
  -- [starts_at, ends_at + buffer): the time that no other appointment of this calendar may touch.
  blocked tstzrange not null,
  title text not null,
  description text,
  -- What was agreed, as a copy: later changes of the type or the location do not change it. The ids say where the copy came
  -- from, also when that is gone. They are no foreign keys: with them, deleting a type or a location would write every
  -- appointment that ever had it.
  appointment_type_id uuid,
  appointment_type_name text,
  price_cents integer check (price_cents >= 0),
  currency text not null default 'eur',
  is_online boolean not null default false,
  location_id uuid,
  location_name text,
  location_address text,
  -- Set only when the location is physical and exclusive. The second exclusion constraint reads it.
  conflict_location_id uuid,
  status text not null check (status in ('confirmed', 'cancelled', 'pending_cancellation', 'pending_payment')),
  payment_status text not null
    check (payment_status in ('not_required', 'pending', 'paid', 'failed', 'refunded')),
  -- The payment or refund that the payment status tells of moved no real money.
  paid_in_sandbox boolean not null default false,
  stripe_payment_intent_id text,
  -- Of a hold: when it ends, and when its time was given back. The row stays, so that a late payment finds its appointment.
  hold_expires_at timestamptz,
  released_at timestamptz,
  awaits_email_code boolean not null default false,
  needs_google_sync boolean not null default false,
  -- The SEQUENCE of the calendar file (RFC 5546): 0 when booked, higher with each change.
  sequence integer not null default 0 check (sequence >= 0),
  -- The customer on the public page, or the owner for somebody who phoned.
  booked_by text not null default 'customer' check (booked_by in ('customer', 'owner')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (calendar_id, id),
  foreign key (calendar_id, customer_id) references customers,
  unique (calendar_id, booking_reference),
  check (starts_at < ends_at),
  check (lower(blocked) = starts_at and upper(blocked) >= ends_at and not upper_inc(blocked) and lower_inc(blocked)),
  check (released_at is null or hold_expires_at is not null),
  constraint appointments_no_double_booking exclude using gist (
    calendar_id with =,
    blocked with &&
  ) where (status <> 'cancelled' and released_at is null),
  constraint appointments_no_location_conflict exclude using gist (
    conflict_location_id with =,
    tstzrange(starts_at, ends_at) with &&
  ) where (conflict_location_id is not null and status <> 'cancelled' and released_at is null)
);
-- Whoever has the id may see the appointment (`/cancel/{appointmentId}`), without naming its calendar.
create index appointments_id_idx on appointments (id);
-- The lists of an owner. It includes the person, so that a search reads this index and not the table.
create index appointments_starts_at_idx on appointments (calendar_id, starts_at, id) include (person_key)
  where released_at is null;
create index appointments_person_idx on appointments (calendar_id, person_key) where released_at is null;
-- Finds a reference by its first characters, whatever the collation of the database is.
create index appointments_reference_idx on appointments (calendar_id, booking_reference text_pattern_ops)
  where released_at is null;
create index appointments_customer_idx on appointments (calendar_id, customer_id);
create index appointments_location_id_idx on appointments (location_id, starts_at) where location_id is not null;
-- What is to come in all calendars: every minute the worker looks here for reminders that are due.
create index appointments_ahead_idx on appointments (starts_at)
  where released_at is null and status in ('confirmed', 'pending_cancellation');
-- Holds that are about to end: every minute the worker looks here.
create index appointments_hold_expires_at_idx on appointments (hold_expires_at)
  where hold_expires_at is not null and released_at is null and status = 'pending_payment';
create index appointments_released_at_idx on appointments (released_at) where released_at is not null;

-- For 24 hours, a request with the same key gets the same answer. Refusals are not stored.
create table idempotency_keys (
  calendar_id uuid not null references calendars on delete cascade,
  key text not null,
  body_hash text not null,
  appointment_id uuid not null,
  confirmation_email_queued boolean not null,
  created_at timestamptz not null default now(),
  primary key (calendar_id, key)
);
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);
