-- Payments through a provider: what was paid where, what the providers told, and who is about to connect an account.

-- A connected PayPal account tells about its payments through a webhook of its own.
alter table payment_settings
  add column paypal_webhook_id text,
  -- What Stripe tells late about a connection of before is not about this one.
  add column stripe_connected_at timestamptz,
  add column updated_at timestamptz not null default now(),
  add constraint payment_settings_stripe_account
    check (not stripe_connected or stripe_account_id is not null) not valid,
  add constraint payment_settings_paypal_account
    check (not paypal_connected or paypal_merchant_id is not null) not valid;

-- One payment of one appointment, from the checkout that was begun to the money that went back.
alter table payment_transactions
  -- Whose money it is, as the provider names the account: kept, because a calendar may be gone or connected anew.
  add column provider_account_id text,
  -- Stripe cs_…, PayPal order id; null until the provider has made the checkout, and for payments by hand.
  add column checkout_id text,
  add column checkout_url text,
  -- Stripe pi_…, PayPal capture id.
  add column payment_id text,
  add column refund_id text,
  add column refunded_cents integer not null default 0 check (refunded_cents between 0 and amount_cents),
  -- Why it failed, or why the money did not go back, in the provider's words.
  add column failure text,
  -- A reason to pay back what came too late or twice; the refund's job looks here.
  add column refund_reason text check (refund_reason in ('too_late', 'paid_already', 'mismatch', 'owner')),
  add column completed_at timestamptz,
  add column refunded_at timestamptz,
  add column updated_at timestamptz not null default now(),
  add constraint payment_transactions_status check (
    status in ('pending', 'capturing', 'completed', 'failed', 'refund_pending', 'refunded', 'mismatch', 'manual')
  ),
  add constraint payment_transactions_paid check (
    status not in ('completed', 'refund_pending', 'refunded') or provider = 'manual' or payment_id is not null
  ) not valid;
-- What a provider tells is found by its own names for it.
create unique index payment_transactions_checkout on payment_transactions (provider, checkout_id)
  where checkout_id is not null;
create unique index payment_transactions_payment on payment_transactions (provider, payment_id)
  where payment_id is not null;
-- One checkout of an appointment at a time: money for it can come in once.
create unique index payment_transactions_one_open on payment_transactions (calendar_id, appointment_id)
  where status in ('pending', 'capturing');
create index payment_transactions_appointment on payment_transactions (calendar_id, appointment_id);

-- Holds that end: the sweep looks every minute.
create index appointments_hold_expires_at_idx on appointments (hold_expires_at)
  where hold_expires_at is not null and released_at is null and status = 'pending_payment';

-- What a provider told, once, in whatever order it came; kept for 30 days.
create table payment_events (
  provider text not null check (provider in ('stripe', 'paypal')),
  event_id text not null,
  type text not null,
  received_at timestamptz not null,
  primary key (provider, event_id)
);
create index payment_events_received_at_idx on payment_events (received_at);

-- An owner on the way to a provider and back. Bound to the session: a link that somebody else sends connects nothing.
create table payment_connections (
  state_hash text primary key,
  session_id uuid not null references sessions on delete cascade,
  calendar_id uuid not null references calendars on delete cascade,
  provider text not null check (provider in ('stripe', 'paypal')),
  expires_at timestamptz not null
);
create index payment_connections_expires_at_idx on payment_connections (expires_at);

-- What the stand-ins of the providers keep (never in production).
create table sandbox_objects (
  provider text not null,
  id text not null,
  kind text not null,
  object jsonb not null,
  created_at timestamptz not null default now(),
  primary key (provider, id)
);
create index sandbox_objects_kind_idx on sandbox_objects (provider, kind, created_at);
