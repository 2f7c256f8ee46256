-- A search finds a name however its letters are marked: `jose` finds José, and `strasse` finds Straße (rule V3).

-- A text in lower case without the marks of its letters. A canonical decomposition (NFD) separates the marks from the letters. Letters
-- that have none and that are typed as others where a keyboard lacks them are replaced one by one.
create function search_letters(text text) returns text
language sql immutable strict parallel safe as $$
  select replace(replace(replace(
    translate(lower(regexp_replace(normalize(text, nfd), '[\u0300-\u036f]', '', 'g')), 'øłđðħı', 'olddhi'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
$$;

-- Its body refers to the function above and not to its name: PostgreSQL builds indexes without looking names up in the schema.
create or replace function person_search_text(name text, email text, client_id text, phone text) returns text
language sql immutable
return search_letters(name || e'\x1f' || coalesce(email, '') || e'\x1f' || client_id) || e'\x1e'
  || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g');

-- What is stored, and what stands in indexes, was made by the functions as they were.
update appointment_people as people
set search_text = person_search_text(people.name, customers.email, customers.client_id, people.phone)
from customers
where customers.calendar_id = people.calendar_id and customers.id = people.customer_id
  and search_text <> person_search_text(people.name, customers.email, customers.client_id, people.phone);

reindex index customers_search_idx;

drop index appointments_typed_title_idx;
create index appointments_typed_title_idx on appointments
  using gin (search_letters(typed_title) gin_trgm_ops) with (fastupdate = off) where typed_title is not null;
