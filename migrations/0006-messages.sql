-- What was said to whom about an appointment, and what became of it: one row per message.

create table appointment_messages (
  calendar_id uuid not null,
  id uuid not null default gen_random_uuid(),
  appointment_id uuid not null,
  kind text not null check (length(kind) <= 60),
  recipient text not null check (recipient in ('customer', 'owner')),
  -- What makes it one message: for a reminder the start it reminds of, else the change it tells of.
  occasion text not null check (length(occasion) <= 80),
  -- The revision of the appointment that it is about; by the time of sending the appointment may be further on.
  sequence integer not null check (sequence >= 0),
  changed_at timestamptz not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'given_up', 'dropped')),
  -- Why it was not sent, because it had become untrue or unwanted.
  drop_reason text check (drop_reason in ('outdated', 'unwanted', 'no_address', 'past', 'too_early')),
  attempts integer not null default 0 check (attempts >= 0),
  first_failed_at timestamptz,
  last_error text check (length(last_error) <= 200),
  -- How often the owner had it sent again: each time is a message of its own to mail clients.
  repeat integer not null default 0 check (repeat >= 0),
  sent_at timestamptz,
  -- When the owner was told that it was given up.
  owner_told_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (calendar_id, id),
  -- Two workers, or two requests, that want to say the same make one message.
  unique (calendar_id, appointment_id, kind, recipient, occasion),
  foreign key (calendar_id, appointment_id) references appointments on delete cascade,
  check ((state = 'dropped') = (drop_reason is not null)),
  check (state <> 'sent' or sent_at is not null)
);
create index appointment_messages_given_up_idx on appointment_messages (calendar_id, updated_at)
  where state = 'given_up';

-- What lies ahead in all calendars: every minute the reminders that are due are looked for here.
create index appointments_ahead_idx on appointments (starts_at)
  where released_at is null and status in ('confirmed', 'pending_cancellation');
