-- What an owner needs during the day: titles that people typed, delays that were told, and payments that can be switched off.

-- What somebody wrote into the title; null when it is the name of the type or what the form was filled with. Few appointments have
-- one, so a search looks through these alone.
alter table appointments add column typed_title text;
update appointments set typed_title = title
  where appointment_type_name is not null and title <> appointment_type_name;
create index appointments_typed_title_idx on appointments
  using gin (lower(normalize(typed_title)) gin_trgm_ops) with (fastupdate = off) where typed_title is not null;

-- How much later the appointment begins, in a message that says so.
alter table appointment_messages add column late_minutes integer check (late_minutes between 1 and 120);

-- Whether customers can pay online at all. What was possible before stays possible.
alter table calendars add column payment_enabled boolean not null default true;

-- The customer left the checkout, or let its time run out: nothing failed. The row is kept where the provider may still say that
-- somebody paid.
alter table payment_transactions add column abandoned boolean not null default false;
update payment_transactions set abandoned = true
  where status = 'failed' and payment_id is null
    and failure in ('Nobody paid in time.', 'The customer gave the time back.');
