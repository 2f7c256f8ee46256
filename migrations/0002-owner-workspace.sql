-- What an owner says about themselves, which messages they want, and how they prove who they are besides a password.

alter table profiles
  add column phone text,
  add column time_zone text,
  add column bio text,
  -- Messages about customers' doings. Those about the account itself are always sent.
  add column notify_bookings boolean not null default true,
  add column notify_cancellation_requests boolean not null default true,
  add column notify_cancellations boolean not null default true,
  add column two_factor_enabled boolean not null default false;

-- The authenticator app of an owner. The authentication library encrypts both secrets.
create table two_factors (
  id uuid primary key,
  user_id uuid not null unique references profiles on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  -- The half-minute since 1970 whose code was used last: each code is good once.
  last_used_step bigint
);

-- Who phones may have no address. Where there is one it still names the customer.
alter table customers alter column email drop not null;

-- Who made the booking: the customer on the public page, or the owner for somebody who phoned.
alter table appointments
  add column booked_by text not null default 'customer' check (booked_by in ('customer', 'owner'));
