-- Messages that wait because a budget of email has no room (src/core/abuse/mail-budgets.ts), and what people said about emails
-- to their address.

alter table appointment_messages
  -- Whoever caused it: what is done on a public page counts as the customer's.
  add column caused_by text not null default 'customer' check (caused_by in ('owner', 'customer')),
  -- The budget that had no room when it was last to be sent, kept until it is sent.
  add column waits_for text check (length(waits_for) <= 40),
  add column waits_until timestamptz,
  -- Names its recipient while it waits: whoever answers gets what waited for that. A keyed hash of the address.
  add column recipient_key text check (length(recipient_key) <= 40),
  drop constraint appointment_messages_state_check,
  add constraint appointment_messages_state_check
    check (state in ('queued', 'waiting', 'sent', 'failed', 'given_up', 'dropped')),
  add check (state <> 'waiting' or (waits_for is not null and waits_until is not null and recipient_key is not null));

-- What an owner did before this migration is known by the appointment only.
update appointment_messages as message set caused_by = 'owner'
  from appointments
  where appointments.calendar_id = message.calendar_id and appointments.id = message.appointment_id
    and (appointments.booked_by = 'owner' or message.repeat > 0 or message.kind in ('restored', 'cancelled', 'cancellation_denied'));

create index appointment_messages_waiting_idx on appointment_messages (waits_until) where state = 'waiting';
create index appointment_messages_waiting_for_idx on appointment_messages (recipient_key) where state = 'waiting';
-- An owner is told of what was not sent once a day and calendar.
create index appointment_messages_told_idx on appointment_messages (calendar_id, owner_told_at)
  where owner_told_at is not null;

-- What the reader of an address said by a link of an email. An address has no row until then; the row goes after a year.
create table email_recipients (
  -- A keyed hash of the address.
  recipient_key text primary key check (length(recipient_key) <= 40),
  -- answered: they know of bookings here. stopped: they did not book, and want no emails about appointments.
  standing text not null check (standing in ('answered', 'stopped')),
  since timestamptz not null
);
create index email_recipients_since_idx on email_recipients (since);
