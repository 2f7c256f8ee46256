-- Owners, their sessions, and how they prove who they are.
--
-- In all files of the schema: an instant is a timestamptz, a wall clock is a time, money is an integer of minor units. The keys
-- of every tenant table begin with calendar_id, so that the schema can be distributed by it. Exceptions are the accounts of
-- owners, and locations, which calendars share.

create extension if not exists btree_gist;

-- Owners. The authentication library keeps its accounts ("user") in this table.
create table profiles (
  id uuid primary key,
  email text not null,
  email_verified boolean not null default false,
  full_name text not null,
  first_name text not null default '',
  last_name text not null default '',
  avatar_url text,
  phone text,
  time_zone text,
  bio text,
  -- The messages about customers that the owner wants. Messages about the account itself are always sent.
  notify_bookings boolean not null default true,
  notify_cancellation_requests boolean not null default true,
  notify_cancellations boolean not null default true,
  two_factor_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Accounts are looked up by `email = …`, which an index on lower(email) does not serve.
  constraint profiles_email_in_small_letters check (email = lower(email))
);
create unique index profiles_email_key on profiles (email);

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

-- How an owner logs in: today by a password, whose hash is here. The columns for other providers belong to the library.
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

-- The authenticator app of an owner. The authentication library encrypts the secret and the backup codes.
create table two_factors (
  id uuid primary key,
  user_id uuid not null unique references profiles on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  -- The number of the half-minute since 1970 whose code was used last. Each code works once.
  last_used_step bigint
);

-- Links that were emailed, and trusted devices.
create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier_idx on verifications (identifier);
-- The links and trusted devices of one account are removed together. They are found by the account that they open.
create index verifications_value_idx on verifications (value);
create index verifications_expires_at_idx on verifications (expires_at);

-- People who registered and have not confirmed their address. The account is made only when the link is opened. So a stranger
-- who registers somebody's address gets nothing: no session, no second factor, and no claim to the address.
create table registrations (
  id uuid primary key,
  -- Of two registrations of one address, the later has the higher number. When they came at once, the order of ids decides.
  number integer not null,
  email text not null check (email = lower(email)),
  full_name text not null,
  password text not null,
  created_at timestamptz not null default now()
);
create index registrations_email_idx on registrations (email, number desc, id desc);
create index registrations_created_at_idx on registrations (created_at);

-- The plan of an owner. Without a row, the owner has the free plan.
create table subscriptions (
  user_id uuid primary key references profiles on delete cascade,
  tier text not null check (tier in ('professional', 'business', 'enterprise')),
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
