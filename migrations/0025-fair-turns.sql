-- The right to write events to an account: one worker at a time has it, so a slow server takes no more than one.
create table event_turns (
  connection_id uuid primary key references calendar_connections on delete cascade,
  -- Who writes, and until when that counts as alive: a killed process leaves it to the next one.
  claim uuid,
  claimed_until timestamptz,
  -- When the sweep last took the turn; it goes on with the account for which that is longest ago.
  swept_at timestamptz,
  check ((claim is null) = (claimed_until is null))
);

-- Appointments whose write found the turn of its account taken. Whoever has it writes them next.
create table awaited_event_turns (
  -- Not the connection itself: whoever inserts here has locked the turn, and waits for no other lock.
  connection_id uuid not null references event_turns on delete cascade,
  calendar_id uuid not null,
  appointment_id uuid not null,
  turned_away_at timestamptz not null,
  primary key (connection_id, calendar_id, appointment_id)
);
