-- Counts of appointments that keep an owner's list quick at any size. With 200,000 rows the embedded database takes 160 ms to
-- count them and 340 ms to compare a name with each of them. The two tables below answer from about 1,400 and 20,000 rows.
-- Triggers keep them, in the transaction that changes an appointment, so they are exact for every reader.

create extension if not exists pg_trgm;

-- How many appointments of a calendar begin on a day of UTC. Holds that have ended are in no list and are not counted.
create table appointment_days (
  calendar_id uuid not null references calendars on delete cascade,
  day date not null,
  appointments integer not null,
  primary key (calendar_id, day)
);

-- Everybody who has appointments on a calendar, as a search finds them, and how many appointments.
create table appointment_people (
  calendar_id uuid not null references calendars on delete cascade,
  person_key uuid not null,
  customer_id uuid not null,
  name text not null,
  phone text,
  search_text text not null,
  appointments integer not null,
  primary key (calendar_id, person_key)
-- A new count is written next to the old one. Without this room, each count would need a new entry in the search index.
) with (fillfactor = 50);
create index appointment_people_customer_idx on appointment_people (calendar_id, customer_id);
-- Without fastupdate there is no pending list. Only a vacuum would empty it, and the embedded database has no process for that.
create index appointment_people_search_idx on appointment_people
  using gin (search_text gin_trgm_ops) with (fastupdate = off);

-- The text that a search reads with `LIKE`. 0x1F separates its parts; after 0x1E come the digits of the phone number.
create function person_search_text(name text, email text, client_id text, phone text) returns text
language sql immutable as $$
  select lower(normalize(name || e'\x1f' || coalesce(email, '') || e'\x1f' || client_id)) || e'\x1e'
    || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g')
$$;

-- One appointment more (change = 1) or less (change = -1) in the lists.
create type listed_change as (
  calendar_id uuid, day date, person_key uuid, customer_id uuid, name text, phone text, change integer
);

create function to_listed_change(appointment appointments, change integer) returns listed_change
language sql immutable as $$
  select row(appointment.calendar_id, (appointment.starts_at at time zone 'UTC')::date, appointment.person_key,
    appointment.customer_id, appointment.customer_name, appointment.customer_phone, change)::listed_change
$$;

-- Adds up the changes. It writes in the order of the keys, so that transactions that change the same counts wait for each other
-- in one direction and never deadlock.
create function count_listed(changes listed_change[]) returns void language plpgsql as $$
begin
  insert into appointment_days as counted (calendar_id, day, appointments)
  select calendar_id, day, sum(change) from unnest(changes)
  group by calendar_id, day having sum(change) > 0 order by calendar_id, day
  on conflict (calendar_id, day) do update set appointments = counted.appointments + excluded.appointments;

  insert into appointment_people as counted
    (calendar_id, person_key, customer_id, name, phone, search_text, appointments)
  select people.calendar_id, person_key, customer_id, people.name, people.phone,
    person_search_text(people.name, email, client_id, people.phone), change
  from (
    select calendar_id, person_key, customer_id, name, phone, sum(change) as change from unnest(changes)
    group by calendar_id, person_key, customer_id, name, phone having sum(change) > 0
  ) as people
  join customers on customers.calendar_id = people.calendar_id and customers.id = people.customer_id
  order by people.calendar_id, person_key
  on conflict (calendar_id, person_key) do update set appointments = counted.appointments + excluded.appointments;

  if not exists (select from unnest(changes) where change < 0) then
    return;
  end if;

  update appointment_days as counted set appointments = counted.appointments + gone.change
  from (
    select calendar_id, day, sum(change) as change from unnest(changes)
    group by calendar_id, day having sum(change) < 0
  ) as gone
  where counted.calendar_id = gone.calendar_id and counted.day = gone.day;

  update appointment_people as counted set appointments = counted.appointments + gone.change
  from (
    select calendar_id, person_key, sum(change) as change from unnest(changes)
    group by calendar_id, person_key having sum(change) < 0
  ) as gone
  where counted.calendar_id = gone.calendar_id and counted.person_key = gone.person_key;

  -- The name of a person who has no appointments left is not kept.
  delete from appointment_days as counted using unnest(changes) as gone
  where counted.calendar_id = gone.calendar_id and counted.day = gone.day and counted.appointments = 0;
  delete from appointment_people as counted using unnest(changes) as gone
  where counted.calendar_id = gone.calendar_id and counted.person_key = gone.person_key
    and counted.appointments = 0;
end
$$;

create function count_inserted_appointments() returns trigger language plpgsql as $$
begin
  perform count_listed(array(
    select to_listed_change(inserted, 1) from inserted where released_at is null
  ));
  return null;
end
$$;

-- When a calendar is deleted, its counts go by cascade and nothing is counted. The product deletes the appointments of a large
-- calendar in pieces before the calendar; those are counted down piece by piece.
create function count_deleted_appointments() returns trigger language plpgsql as $$
begin
  perform count_listed(array(
    select to_listed_change(deleted, -1) from deleted
    where released_at is null and exists (select from calendars where id = deleted.calendar_id)
  ));
  return null;
end
$$;

create function count_moved_appointment() returns trigger language plpgsql as $$
begin
  perform count_listed(
    case when old.released_at is null then array[to_listed_change(old, -1)] else array[]::listed_change[] end
    || case when new.released_at is null then array[to_listed_change(new, 1)] else array[]::listed_change[] end
  );
  return null;
end
$$;

create trigger appointments_inserted after insert on appointments referencing new table as inserted
  for each statement execute function count_inserted_appointments();
create trigger appointments_deleted after delete on appointments referencing old table as deleted
  for each statement execute function count_deleted_appointments();
-- The condition saves the call when something else changes: the status of one appointment, or the buffer of thousands.
create trigger appointments_moved after update on appointments for each row
  when ((old.calendar_id, old.starts_at, old.released_at, old.person_key)
    is distinct from (new.calendar_id, new.starts_at, new.released_at, new.person_key))
  execute function count_moved_appointment();

-- A customer whose address or client id changes is found by the new one.
create function keep_people_found() returns trigger language plpgsql as $$
begin
  update appointment_people
  set search_text = person_search_text(name, new.email, new.client_id, phone)
  where calendar_id = new.calendar_id and customer_id = new.id;
  return null;
end
$$;

create trigger customers_found after update on customers for each row
  when ((old.email, old.client_id) is distinct from (new.email, new.client_id))
  execute function keep_people_found();
