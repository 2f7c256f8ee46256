-- The data model and its invariants. Names are the specification's (§3). Instants are timestamptz, wall clocks
-- are time, money is integer minor units.
--
-- Every tenant table leads its keys with calendar_id, so that the schema can be distributed by it. Two rules
-- cannot: locations, which calendars share, and the accounts of owners.

create extension if not exists btree_gist;

-- Owners. `profiles` is also the account table of the authentication library (its "user").
create table profiles (
  id uuid primary key,
  email text not null,
  email_verified boolean not null default false,
  full_name text not null,
  first_name text not null default '',
  last_name text not null default '',
  avatar_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index profiles_email_key on profiles (lower(email));

create table sessions (
  id uuid primary key,
  user_id uuid not null references profiles on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

-- How an owner proves who they are: a password hash now, other providers later.
create table accounts (
  id uuid primary key,
  user_id uuid not null references profiles on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index accounts_user_id_idx on accounts (user_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier_idx on verifications (identifier);

-- Counters of the sign-in throttle. In the database, so that they hold across processes.
create table rate_limits (
  id uuid primary key default gen_random_uuid(),
  key text not null unique,
  count integer not null,
  last_request bigint not null
);

-- No row means the free plan.
create table subscriptions (
  user_id uuid primary key references profiles on delete cascade,
  tier text not null check (tier in ('professional', 'business', 'enterprise')),
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Every booking link that was ever given out. A deleted calendar leaves its row without a calendar: the slug is
-- retired for good, so that an old link never leads to somebody else.
create table public_calendars (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  calendar_id uuid unique,
  public_url text
);

create table calendars (
  id uuid primary key,
  user_id uuid not null references profiles on delete cascade,
  slug text not null unique references public_calendars deferrable initially deferred,
  name text not null check (btrim(name) <> ''),
  description text,
  color text not null default '#3498db' check (color ~ '^#[0-9a-fA-F]{6}$'),
  category text,
  professional_first_name text,
  professional_last_name text,
  timezone text not null default 'Europe/London',
  appointment_title_required boolean not null default true,
  default_appointment_title text,
  payment_required boolean not null default false,
  is_connected_to_google boolean not null default false,
  slot_duration_minutes integer not null default 30 check (slot_duration_minutes in (15, 30, 60)),
  buffer_time_minutes integer not null default 0
    check (buffer_time_minutes between 0 and 60 and buffer_time_minutes % 5 = 0),
  max_appointment_duration_minutes integer not null default 120
    check (max_appointment_duration_minutes between slot_duration_minutes and 480),
  reminder_settings jsonb not null default '{}',
  domain_settings jsonb not null default '{"type": "path"}',
  branding_settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index calendars_user_id_idx on calendars (user_id, created_at desc);
alter table public_calendars
  add foreign key (calendar_id) references calendars on delete set null;

-- One opening of a weekday, wall clock in the calendar's zone, [start_time, end_time). 24:00:00 is a valid end.
create table availability (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  day_of_week smallint not null check (day_of_week between 0 and 6),
  start_time time not null,
  end_time time not null,
  primary key (calendar_id, id),
  check (start_time < end_time),
  constraint availability_no_overlap exclude using gist (
    calendar_id with =,
    day_of_week with =,
    int4range(extract(epoch from start_time)::integer, extract(epoch from end_time)::integer) with &&
  )
);

-- Places belong to an owner and may serve several calendars: the one tenant table without calendar_id.
-- `exclusive`: only one appointment at a time, on whichever calendar.
create table locations (
  id uuid primary key,
  user_id uuid not null references profiles on delete cascade,
  name text not null check (btrim(name) <> ''),
  address text,
  type text not null default 'physical' check (type in ('physical', 'online')),
  shareable boolean not null default false,
  exclusive boolean not null default true,
  created_at timestamptz not null default now()
);
create index locations_user_id_idx on locations (user_id, name);

create table calendar_locations (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  location_id uuid not null references locations on delete cascade,
  is_primary boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (calendar_id, id),
  unique (calendar_id, location_id)
);
create unique index calendar_locations_one_primary on calendar_locations (calendar_id) where is_primary;

create table appointment_types (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  name text not null check (btrim(name) <> ''),
  duration integer not null default 30 check (duration between 5 and 1440),
  description text,
  color text not null default '#3498db' check (color ~ '^#[0-9a-fA-F]{6}$'),
  price_cents integer check (price_cents >= 0),
  stripe_price_id text,
  is_online boolean not null default false,
  location_id uuid references locations on delete set null,
  payment_required boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (calendar_id, id)
);

create table payment_settings (
  calendar_id uuid primary key references calendars on delete cascade,
  stripe_connected boolean not null default false,
  stripe_account_id text,
  paypal_connected boolean not null default false,
  paypal_merchant_id text,
  paypal_email text,
  paypal_client_id text,
  paypal_client_secret_encrypted bytea,
  paypal_redirect_uri text,
  paypal_mode text not null default 'sandbox' check (paypal_mode in ('sandbox', 'live')),
  payment_provider text check (payment_provider in ('stripe', 'paypal')),
  currency text not null default 'eur'
);

-- The same address on the same calendar is the same customer with the same client id.
create table customers (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  client_id text not null,
  name text not null,
  email text not null,
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
  -- What the customer typed at this booking; the customer's own record is not overwritten by it.
  customer_name text not null,
  customer_phone text,
  customer_time_zone text,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- The calendar's zone when it was booked.
  time_zone text not null,
  -- [starts_at, ends_at + buffer): the time that no other appointment of this calendar may touch.
  blocked tstzrange not null,
  title text not null,
  description text,
  -- What was agreed, copied: later edits of the type or the place do not change it.
  appointment_type_id uuid,
  appointment_type_name text,
  price_cents integer check (price_cents >= 0),
  currency text not null default 'eur',
  is_online boolean not null default false,
  location_id uuid references locations on delete set null,
  location_name text,
  location_address text,
  -- Set only when the place is physical and exclusive; carries the second exclusion constraint.
  conflict_location_id uuid,
  status text not null check (status in ('confirmed', 'cancelled', 'pending_cancellation', 'pending_payment')),
  payment_status text not null
    check (payment_status in ('not_required', 'pending', 'paid', 'failed', 'refunded')),
  stripe_payment_intent_id text,
  -- A hold: when it ends unless paid, and when it was given back. The row stays, so that a late payment
  -- finds what it was for.
  hold_expires_at timestamptz,
  released_at timestamptz,
  needs_google_sync boolean not null default false,
  -- RFC 5546 SEQUENCE of the calendar file: 0 on booking, higher with each change.
  sequence integer not null default 0 check (sequence >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (calendar_id, id),
  foreign key (calendar_id, customer_id) references customers,
  foreign key (calendar_id, appointment_type_id) references appointment_types
    on delete set null (appointment_type_id),
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
-- The id alone is a capability (`/cancel/{appointmentId}`).
create index appointments_id_idx on appointments (id);
create index appointments_starts_at_idx on appointments (calendar_id, starts_at, id) where released_at is null;
create index appointments_released_at_idx on appointments (released_at) where released_at is not null;
create index appointments_customer_idx on appointments (calendar_id, customer_id);
create index appointments_type_idx on appointments (calendar_id, appointment_type_id);

-- A key answers the same request for 24 hours; refusals are not stored.
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

-- Kept for accounting when the calendar is gone, so without a foreign key to it.
create table payment_transactions (
  calendar_id uuid not null,
  id uuid not null,
  appointment_id uuid,
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null default 'eur',
  provider text not null check (provider in ('stripe', 'paypal', 'manual')),
  status text not null,
  created_at timestamptz not null default now(),
  primary key (calendar_id, id)
);
create index payment_transactions_created_at_idx on payment_transactions (calendar_id, created_at desc);

-- What would have been sent, when no SMTP server is configured (never in production).
create table sandbox_mails (
  id uuid primary key default gen_random_uuid(),
  message_id text not null unique,
  mail jsonb not null,
  created_at timestamptz not null default now()
);
create index sandbox_mails_created_at_idx on sandbox_mails (created_at desc);
