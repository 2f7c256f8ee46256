-- Plans that are bought. The provider of the subscriptions has the truth; these rows are our copy of it (rule S10).

-- The customer that an owner is at the provider. It is created at the first purchase and stays, so that an owner who comes back
-- finds the same invoices.
create table billing_customers (
  user_id uuid primary key references profiles on delete cascade,
  provider_customer_id text not null unique,
  -- The address that the provider knows; a changed one is passed on.
  email text not null,
  -- How often an answer of the provider was written. An answer counts only when none was written since it was asked for, so that
  -- an older one never replaces a newer one (rule S10).
  syncs integer not null default 0,
  -- The checkout that was opened last, so that a second click leads to the same page. `checkout_url` is null while it is being
  -- opened.
  checkout_price_id text,
  checkout_key text,
  checkout_url text,
  checkout_at timestamptz,
  created_at timestamptz not null default now(),
  check ((checkout_at is null) = (checkout_key is null) and (checkout_at is null) = (checkout_price_id is null))
);

-- A row without `provider_subscription_id` was given by the operator; nothing of the provider changes it.
alter table subscriptions
  add column provider_subscription_id text unique,
  -- As the provider says it (rule S11).
  add column status text check (status in
    ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused')),
  add column period_ends_at timestamptz,
  -- The owner has ended the plan: it runs until then and is not renewed.
  add column cancels_at timestamptz,
  -- The plan that replaces this one when the period ends.
  add column next_tier text check (next_tier in ('professional', 'business', 'enterprise')),
  -- What the next month costs, in minor units.
  add column amount_cents integer check (amount_cents >= 0),
  add column currency text check (currency ~ '^[a-z]{3}$'),
  -- When the last renewal failed first; null while nothing is owed. The days of rule S14 are counted from here.
  add column past_due_since timestamptz,
  -- When the provider was last asked.
  add column synced_at timestamptz,
  add check (provider_subscription_id is null or
    (status is not null and period_ends_at is not null and amount_cents is not null and currency is not null and synced_at is not null));
create index subscriptions_ends_at_idx on subscriptions (ends_at) where ends_at is not null;

-- Events of the provider, by their id: each is worked on once (rule S10). They are erased after 60 days.
create table billing_events (
  id text primary key,
  type text not null,
  provider_customer_id text,
  received_at timestamptz not null default now()
);
create index billing_events_received_at_idx on billing_events (received_at);

-- The emails about a plan that an owner was sent: each occasion once (rule S15). `about` tells two occasions of a kind apart: the
-- subscription and the day for a failed payment, for example.
create table plan_notices (
  user_id uuid not null references profiles on delete cascade,
  occasion text not null check (occasion in
    ('welcome', 'payment_failed', 'plan_ended', 'card_expiring', 'paid_twice')),
  about text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, occasion, about)
);

-- A calendar above the number that the plan allows takes no new bookings (rule S13).
alter table calendars
  add column is_paused boolean not null default false,
  -- The owner chose that it stays open on a smaller plan.
  add column stays_open boolean not null default false;

-- When the owner last chose which calendars stay open while some are paused: once in 30 days (rule S13).
alter table subscriptions add column calendars_chosen_at timestamptz;
