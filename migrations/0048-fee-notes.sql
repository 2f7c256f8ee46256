-- A fee note is text that customers read where a price would be (rule C19).

alter table appointment_types
  add column fee_note text check (
    btrim(fee_note) <> '' and char_length(fee_note) <= 80 and fee_note !~ '[\u0001-\u001f\u007f\u2028\u2029]'
  ),
  add constraint appointment_types_price_or_fee_note check (price_cents is null or fee_note is null);

-- The fee note at the time of booking (rule B12).
alter table appointments
  add column fee_note text check (
    btrim(fee_note) <> '' and char_length(fee_note) <= 80 and fee_note !~ '[\u0001-\u001f\u007f\u2028\u2029]'
  ),
  add constraint appointments_price_or_fee_note check (price_cents is null or fee_note is null);
