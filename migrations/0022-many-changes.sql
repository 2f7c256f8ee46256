-- A message about a move waits for a moment, so that whoever moved the appointment can take it back. While nobody has begun to send
-- it, this says what the recipient still believes: the time before the move, and the revision that had it. Then it is null.
alter table appointment_messages add column undo jsonb check (pg_column_size(undo) <= 1000);

-- What only this message says: the words of the owner, and the times that are offered.
alter table appointment_messages add column details jsonb check (pg_column_size(details) <= 10000);

-- A change of all appointments of some days, because the owner cannot come.
create table many_changes (
  calendar_id uuid not null references calendars on delete cascade,
  -- The browser makes it, so that a request that comes twice is one change.
  id uuid not null,
  -- cancel: all are cancelled. offer: everybody is offered other times.
  kind text not null check (kind in ('cancel', 'offer')),
  -- Days of the calendar, both included.
  first_date date not null,
  last_date date not null check (last_date >= first_date),
  message text not null check (length(message) <= 2000),
  -- What a cancellation gives back of what was paid.
  refund text not null check (refund in ('all', 'policy')),
  created_at timestamptz not null,
  -- When nothing was left to do.
  finished_at timestamptz,
  primary key (calendar_id, id)
);

-- One row for each appointment. The transaction that changes an appointment also settles its row, so that a process that dies in
-- the middle leaves no appointment undone and changes none twice.
create table many_change_items (
  calendar_id uuid not null,
  change_id uuid not null,
  appointment_id uuid not null,
  -- As it was when the owner decided. An appointment that was moved since is left alone.
  starts_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'skipped')),
  -- Why it was left alone.
  reason text check (length(reason) <= 300),
  -- The times that were offered.
  offered jsonb check (pg_column_size(offered) <= 1000),
  primary key (calendar_id, change_id, appointment_id),
  foreign key (calendar_id, change_id) references many_changes on delete cascade,
  foreign key (calendar_id, appointment_id) references appointments on delete cascade
);
create index many_change_items_appointment_idx on many_change_items (calendar_id, appointment_id);
