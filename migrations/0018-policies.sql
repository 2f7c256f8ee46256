-- What customers may change about an appointment, and what goes back to them.

-- Whether a policy has the shape that the product reads. It compares what the product compares: bounds, and a refund table that falls.
create function is_policy(policy jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(policy) = 'object'
    and case policy #>> '{moving,kind}'
      when 'never' then true
      when 'until' then coalesce((policy #>> '{moving,hours}')::numeric between 0 and 8760, false)
        and coalesce((policy #>> '{moving,times}')::numeric between 1 and 10, true)
      else false
    end
    and case policy #>> '{cancelling,kind}'
      when 'by_request' then true
      when 'alone' then coalesce((policy #>> '{cancelling,hours}')::numeric between 0 and 8760, false)
        and coalesce(policy #>> '{cancelling,after}' in ('by_request', 'never'), false)
      else false
    end
    and case when jsonb_typeof(policy -> 'refunds') = 'array' then
      jsonb_array_length(policy -> 'refunds') <= 5
      and not exists (
        select from (
          select (line ->> 'hours')::numeric as hours, (line ->> 'percent')::numeric as percent,
            lag((line ->> 'hours')::numeric) over the_row_before as earlier_hours,
            lag((line ->> 'percent')::numeric) over the_row_before as earlier_percent
          from jsonb_array_elements(policy -> 'refunds') with ordinality as listed (line, place)
          window the_row_before as (order by place)
        ) as lines
        where not coalesce(hours between 0 and 8760 and percent between 0 and 100, false)
          or earlier_hours <= hours or earlier_percent <= percent
      )
    else false end
$$;

-- Null: the owner chose none, and the product's own policy holds; for a type, that of its calendar.
alter table calendars add column policy jsonb
  constraint calendars_policy check (policy is null or is_policy(policy));
alter table appointment_types add column policy jsonb
  constraint appointment_types_policy check (policy is null or is_policy(policy));

alter table appointments
  -- The policy under which it was booked, and the sentences that the customer read. Null: booked before there were policies.
  add column policy jsonb constraint appointments_policy check (policy is null or is_policy(policy)),
  add column policy_text text,
  -- When the customer asked to cancel it. The share that goes back is that of this moment.
  add column cancellation_asked_at timestamptz,
  -- How much of the payment the cancellation gives back, and the share of the policy that it is. Null: nothing was decided, or an
  -- amount that the owner chose.
  add column refund_due_cents integer check (refund_due_cents >= 0),
  add column refund_percent smallint check (refund_percent between 0 and 100),
  -- Who cancelled it; null while it is not, and for what was cancelled before this was stored.
  add column cancelled_by text check (cancelled_by in ('customer', 'owner')),
  -- The customer did not come.
  add column no_show_at timestamptz,
  add constraint appointments_policy_text check ((policy is null) = (policy_text is null));

alter table payment_transactions
  -- How much is to have gone back in all. It is more than refunded_cents while the refund is on its way or has failed.
  add column return_cents integer check (return_cents between 0 and amount_cents),
  -- The share of the policy that this is; null when the owner chose the amount.
  add column return_percent smallint check (return_percent between 0 and 100),
  -- When that was decided, or when the owner had it tried again.
  add column return_decided_at timestamptz,
  -- The part of refunded_cents that the owner returned by hand. No refund of the provider includes it.
  add column by_hand_cents integer not null default 0 check (by_hand_cents between 0 and refunded_cents);
-- The refunds that a policy makes have a reason of their own.
alter table payment_transactions drop constraint payment_transactions_refund_reason_check;
alter table payment_transactions add constraint payment_transactions_refund_reason_check
  check (refund_reason in ('too_late', 'paid_already', 'mismatch', 'owner', 'by_hand', 'policy'));

update payment_transactions set by_hand_cents = refunded_cents where refund_reason = 'by_hand';
