-- A search finds a name however it is spelled: `O'Dea` finds O’Dea, `Anne-Marie` finds Anne‑Marie, and full-width letters, ligatures
-- and capitals of every alphabet do not count (rule V3).

-- The text as a search compares it, the same in every locale: with a Turkish one, lower() does not make an i of I. Most texts are
-- ASCII and need little. For the others, a compatibility decomposition (NFKD) makes plain letters of full-width ones and of ligatures,
-- and separates accents from their letters. Accents, invisible characters and the punctuation of names are removed. Letters that do not
-- decompose are replaced; capitals too, because with the locale C lower() changes those of ASCII only. Arabic digits become 0 to 9.
create or replace function search_letters(text text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  letters text;
begin
  if octet_length($1) = char_length($1) then
    return translate(lower($1 collate "C"), '''"`.,-', '');
  end if;
  -- The decomposition would make a space of an acute accent that somebody typed as an apostrophe.
  letters := regexp_replace(
    normalize(replace($1, '´', ''), nfkd),
    '[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff'
      || '\ufe00-\ufe0f\ufe20-\ufe2f\u00ad\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff'
      || '''"`.,\u00b7\u00ab\u00bb\u02b9-\u02cf\u2010-\u201f\u2027\u2032-\u2037\u2039\u203a\u2212\u30fb\u3002\u3001\u058a-]',
    '', 'g');
  if octet_length(letters) = char_length(letters) then
    return lower(letters collate "C");
  end if;
  letters := translate(
    lower(letters),
    'øØłŁđĐðÐħĦıŋŊŧŦƒƑɓƁɗƊƙƘəƏςیىکة٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹'
      || 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐҒҖҚҢҮҰҲҶҺӘӨ'
      || 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
    'oOlLdDdDhHinNtTfFbBdDkKəəσييكه01234567890123456789'
      || 'αβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґғҗқңүұҳҷһәө'
      || 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ');
  letters := replace(replace(replace(replace(letters, 'ß', 'ss'), 'ẞ', 'ss'), 'þ', 'th'), 'Þ', 'th');
  letters := replace(replace(replace(replace(letters, 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe');
  return lower(letters collate "C");
end
$$;

-- What LIKE compares with texts of `search_letters` to find a word in them. Wildcards are escaped last, because a full-width percent
-- sign becomes a plain one.
create function search_pattern(word text) returns text
language sql immutable strict parallel safe
return '%' || regexp_replace(search_letters(word), '[\\%_]', '\\\&', 'g') || '%';

create or replace function person_search_text(name text, email text, client_id text, phone text) returns text
language sql immutable
return search_letters(name || e'\x1f' || coalesce(email, '') || e'\x1f' || client_id) || e'\x1e'
  || regexp_replace(search_letters(coalesce(phone, '')), '[^0-9]', '', 'g');

-- Stored texts and indexes hold results of the earlier functions.
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
