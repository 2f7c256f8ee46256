-- The signed link of an appointment, which its customer has from emails.

-- How often the link was replaced. The link itself is stored nowhere: it is derived from the product's key, the id and this number,
-- so that an email that is written later has the same link as the one before.
alter table appointments add column link_rotation integer not null default 0 check (link_rotation between 0 and 65535);

-- When everything that names the customer was erased. What accounting needs stays, without the name.
alter table customers add column erased_at timestamptz,
  add check (erased_at is null or (email is null and phone is null));
