-- Why a time is held and, unless the owner of the calendar holds it, who holds it: so that one person cannot hold every time.
-- The keys are keyed hashes (platform/secrets/pseudonyms.ts) of the client, its network and the email address. Rows are erased
-- an hour after the hold has ended (contract/retention.ts), and with their appointment.
create table holds (
  calendar_id uuid not null,
  appointment_id uuid not null,
  reason text not null check (reason in ('payment')),
  client_key text,
  network_key text,
  email_key text,
  primary key (calendar_id, appointment_id),
  foreign key (calendar_id, appointment_id) references appointments on delete cascade,
  check (num_nulls(client_key, network_key, email_key) in (0, 3))
);
create index holds_network_key_idx on holds (network_key);
create index holds_email_key_idx on holds (email_key);

-- Who holds the present ones is not known.
insert into holds (calendar_id, appointment_id, reason)
select calendar_id, id, 'payment' from appointments
where status = 'pending_payment' and hold_expires_at is not null and released_at is null;
