-- What is asked about a payment when its provider did not answer, who can ask, and whether it is real money.

alter table payment_transactions
  -- PayPal: the owner's app that the payment was begun with. Another app is not told about it.
  add column app_client_id text check (app_client_id is null or provider = 'paypal'),
  -- No real money moves: PayPal's sandbox, Stripe's test mode, or a stand-in of either.
  add column is_sandbox boolean not null default false,
  -- The hold ended before the provider had said whether the money comes: when it is asked again. Null when nothing is open.
  add column ask_again_at timestamptz,
  drop constraint payment_transactions_refund_reason_check,
  -- by_hand: we could no longer act for the account, so the owner returns the money there.
  add constraint payment_transactions_refund_reason_check
    check (refund_reason in ('too_late', 'paid_already', 'mismatch', 'owner', 'by_hand'));
create index payment_transactions_ask_again_at_idx on payment_transactions (ask_again_at)
  where ask_again_at is not null;

-- What an appointment is marked as paid or refunded by was no real money.
alter table appointments add column paid_in_sandbox boolean not null default false;

-- Stripe's test mode names its checkouts so.
update payment_transactions set is_sandbox = true where provider = 'stripe' and checkout_id like 'cs_test_%';
-- While an account is connected, its app and mode stay as they were.
update payment_transactions as payment
set app_client_id = settings.paypal_client_id, is_sandbox = settings.paypal_mode = 'sandbox'
from payment_settings as settings
where settings.calendar_id = payment.calendar_id
  and payment.provider = 'paypal'
  and settings.paypal_merchant_id = payment.provider_account_id;
update appointments set paid_in_sandbox = true
where payment_status in ('paid', 'refunded') and exists (
  select from payment_transactions as payment
  where payment.calendar_id = appointments.calendar_id
    and payment.appointment_id = appointments.id
    and payment.is_sandbox
    and (payment.status = 'completed'
      or payment.status = 'refunded' and coalesce(payment.refund_reason, 'owner') = 'owner')
);
