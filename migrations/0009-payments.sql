-- Payment accounts of calendars, payments, and what the providers told.

create table payment_settings (
  calendar_id uuid primary key references calendars on delete cascade,
  stripe_connected boolean not null default false,
  stripe_account_id text,
  -- What Stripe tells late about an earlier connection is not about this one.
  stripe_connected_at timestamptz,
  paypal_connected boolean not null default false,
  paypal_merchant_id text,
  paypal_email text,
  paypal_client_id text,
  paypal_client_secret_encrypted bytea,
  paypal_redirect_uri text,
  paypal_mode text not null default 'sandbox' check (paypal_mode in ('sandbox', 'live')),
  -- A connected PayPal account tells about its payments through a webhook of its own.
  paypal_webhook_id text,
  payment_provider text check (payment_provider in ('stripe', 'paypal')),
  currency text not null default 'eur',
  updated_at timestamptz not null default now(),
  constraint payment_settings_stripe_account check (not stripe_connected or stripe_account_id is not null),
  constraint payment_settings_paypal_account check (not paypal_connected or paypal_merchant_id is not null)
);

-- An owner on the way to a provider and back. It is bound to the session, so a link that somebody else sends connects nothing.
create table payment_connections (
  state_hash text primary key,
  session_id uuid not null references sessions on delete cascade,
  calendar_id uuid not null references calendars on delete cascade,
  provider text not null check (provider in ('stripe', 'paypal')),
  expires_at timestamptz not null
);
create index payment_connections_expires_at_idx on payment_connections (expires_at);

-- One payment of one appointment, from the checkout that was begun to the money that went back. It is kept for accounting when
-- the calendar is gone, so it has no foreign key to it.
create table payment_transactions (
  calendar_id uuid not null,
  id uuid not null,
  appointment_id uuid,
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null default 'eur',
  provider text not null check (provider in ('stripe', 'paypal', 'manual')),
  status text not null,
  -- At Stripe cs_…, at PayPal the order's id. Null until the provider has made the checkout, and for payments by hand.
  checkout_id text,
  checkout_url text,
  -- At Stripe pi_…, at PayPal the capture's id.
  payment_id text,
  refund_id text,
  refunded_cents integer not null default 0 check (refunded_cents between 0 and amount_cents),
  -- Why it failed, or why the money did not go back, in the provider's words.
  failure text,
  -- Why the money goes back: it came too late or twice, say. The job for refunds looks here. by_hand: the product can no longer
  -- act for the account, so the owner returns the money at the provider.
  refund_reason text check (refund_reason in ('too_late', 'paid_already', 'mismatch', 'owner', 'by_hand')),
  -- The account that gets the money, by the provider's name for it. The calendar may be gone by now, or have another account.
  provider_account_id text,
  -- The owner's app at PayPal that the payment was begun with. No other app is told about it.
  app_client_id text check (app_client_id is null or provider = 'paypal'),
  -- No real money moves: PayPal's sandbox, Stripe's test mode, or a stand-in of either.
  is_sandbox boolean not null default false,
  -- When to ask the provider again whether the money comes, because the hold ended before it had said so. Null when nothing is
  -- open.
  ask_again_at timestamptz,
  completed_at timestamptz,
  refunded_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (calendar_id, id),
  constraint payment_transactions_status check (
    status in ('pending', 'capturing', 'completed', 'failed', 'refund_pending', 'refunded', 'mismatch', 'manual')
  ),
  constraint payment_transactions_paid check (
    status not in ('completed', 'refund_pending', 'refunded') or provider = 'manual' or payment_id is not null
  )
);
create index payment_transactions_created_at_idx on payment_transactions (calendar_id, created_at desc);
create index payment_transactions_appointment on payment_transactions (calendar_id, appointment_id);
-- What a provider tells is found by the provider's own names for it.
create unique index payment_transactions_checkout on payment_transactions (provider, checkout_id)
  where checkout_id is not null;
create unique index payment_transactions_payment on payment_transactions (provider, payment_id)
  where payment_id is not null;
-- An appointment has one open checkout at a time, so that nobody pays for it twice.
create unique index payment_transactions_one_open on payment_transactions (calendar_id, appointment_id)
  where status in ('pending', 'capturing');
create index payment_transactions_ask_again_at_idx on payment_transactions (ask_again_at)
  where ask_again_at is not null;

-- What a provider told, each event once, in whatever order it came. Kept for 30 days.
create table payment_events (
  provider text not null check (provider in ('stripe', 'paypal')),
  event_id text not null,
  type text not null,
  received_at timestamptz not null,
  primary key (provider, event_id)
);
create index payment_events_received_at_idx on payment_events (received_at);
