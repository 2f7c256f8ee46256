-- A message about a move waits for a moment, so that whoever moved the appointment can take it back. While nobody has begun to send
-- it, this says what the recipient still believes: the time before the move, and the revision that had it. Then it is null.
alter table appointment_messages add column undo jsonb check (pg_column_size(undo) <= 1000);
