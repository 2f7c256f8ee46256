-- Messages about appointments, and what their recipients said about them.

-- One row per message: to whom it goes, what it is about, and what became of it.
create table appointment_messages (
  calendar_id uuid not null,
  id uuid not null default gen_random_uuid(),
  appointment_id uuid not null,
  kind text not null check (length(kind) <= 60),
  recipient text not null check (recipient in ('customer', 'owner')),
  -- What makes it one message: for a reminder the start that it reminds of, otherwise the change that it tells of.
  occasion text not null check (length(occasion) <= 80),
  -- The revision of the appointment that it is about. When it is sent, the appointment may have a later one.
  sequence integer not null check (sequence >= 0),
  changed_at timestamptz not null,
  -- Who caused it. Everything that is done on a public page counts as the customer's.
  caused_by text not null default 'customer' check (caused_by in ('owner', 'customer')),
  state text not null default 'queued' check (state in ('queued', 'waiting', 'sent', 'failed', 'given_up', 'dropped')),
  -- Why it was not sent: it was no longer true, or nobody wanted it.
  drop_reason text check (drop_reason in ('outdated', 'unwanted', 'no_address', 'past', 'too_early')),
  -- The budget of email (src/core/abuse/mail-budgets.ts) that had no room when it was last tried. Kept until it is sent.
  waits_for text check (length(waits_for) <= 40),
  waits_until timestamptz,
  -- Names the recipient while it waits, so that what waits for an answer is found when the recipient answers. A keyed hash of
  -- the address.
  recipient_key text check (length(recipient_key) <= 40),
  attempts integer not null default 0 check (attempts >= 0),
  first_failed_at timestamptz,
  last_error text check (length(last_error) <= 200),
  -- How often the owner had it sent again. For mail clients each time is a message of its own.
  repeat integer not null default 0 check (repeat >= 0),
  sent_at timestamptz,
  -- When the owner was told that it was given up.
  owner_told_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (calendar_id, id),
  -- Two workers or two requests that want to say the same make one message.
  unique (calendar_id, appointment_id, kind, recipient, occasion),
  foreign key (calendar_id, appointment_id) references appointments on delete cascade,
  check ((state = 'dropped') = (drop_reason is not null)),
  check (state <> 'sent' or sent_at is not null),
  check (state <> 'waiting' or (waits_for is not null and waits_until is not null and recipient_key is not null))
);
create index appointment_messages_given_up_idx on appointment_messages (calendar_id, updated_at)
  where state = 'given_up';
create index appointment_messages_waiting_idx on appointment_messages (waits_until) where state = 'waiting';
create index appointment_messages_waiting_for_idx on appointment_messages (recipient_key) where state = 'waiting';
-- An owner is told once a day and calendar what was not sent.
create index appointment_messages_told_idx on appointment_messages (calendar_id, owner_told_at)
  where owner_told_at is not null;

-- What the reader of an address said by a link in an email. Until then an address has no row. The row is erased after a year.
create table email_recipients (
  -- A keyed hash of the address.
  recipient_key text primary key check (length(recipient_key) <= 40),
  -- answered: the reader knows of bookings here. stopped: the reader did not book, and wants no emails about appointments.
  standing text not null check (standing in ('answered', 'stopped')),
  since timestamptz not null
);
create index email_recipients_since_idx on email_recipients (since);
