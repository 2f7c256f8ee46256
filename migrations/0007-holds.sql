-- Why a time is held, and who holds it.

-- The keys let the product limit how many times one person holds. They are keyed hashes (platform/secrets/pseudonyms.ts) of the
-- client, its network and the email address, and they are null when the owner of the calendar made the hold. A row is erased an
-- hour after its hold has ended (contract/retention.ts), and with its appointment.
create table holds (
  calendar_id uuid not null,
  appointment_id uuid not null,
  reason text not null check (reason in ('payment', 'email_confirmation')),
  client_key text,
  network_key text,
  email_key text,
  primary key (calendar_id, appointment_id),
  foreign key (calendar_id, appointment_id) references appointments on delete cascade,
  check (num_nulls(client_key, network_key, email_key) in (0, 3))
);
create index holds_network_key_idx on holds (network_key);
create index holds_email_key_idx on holds (email_key);
