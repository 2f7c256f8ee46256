-- A search finds a name with or without accents: `jose` finds José, and `strasse` finds Straße (rule V3).

-- A text in lower case without accents. A canonical decomposition (NFD) separates accents from their letters. Letters that do not
-- decompose are replaced one by one, capitals too: with the locale C, lower() leaves them as they are.
create function search_letters(text text) returns text
language sql immutable strict parallel safe as $$
  select replace(replace(replace(replace(replace(
    lower(translate(regexp_replace(normalize(text, nfd), '[\u0300-\u036f]', '', 'g'), 'øØłŁđĐðÐħĦı', 'oOlLdDdDhHi')),
    'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe')
$$;

-- The body is an expression after `return`, so PostgreSQL looks `search_letters` up when it creates the function. It builds indexes
-- without a search path, where a name in a body that is a text would not be found.
create or replace function person_search_text(name text, email text, client_id text, phone text) returns text
language sql immutable
return search_letters(name || e'\x1f' || coalesce(email, '') || e'\x1f' || client_id) || e'\x1e'
  || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g');

-- What is stored and what is in the indexes was made by the functions as they were.
update appointment_people as people
set search_text = person_search_text(people.name, customers.email, customers.client_id, people.phone)
from customers
where customers.calendar_id = people.calendar_id and customers.id = people.customer_id
  and search_text <> person_search_text(people.name, customers.email, customers.client_id, people.phone);

-- Made anew and not rebuilt: a connection may remember the expression of an index with the earlier function in it.
drop index customers_search_idx;
create index customers_search_idx on customers
  using gin (person_search_text(name, email, client_id, phone) gin_trgm_ops) with (fastupdate = off);

drop index appointments_typed_title_idx;
create index appointments_typed_title_idx on appointments
  using gin (search_letters(typed_title) gin_trgm_ops) with (fastupdate = off) where typed_title is not null;
