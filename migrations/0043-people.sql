-- The people whose time is booked. One person is booked once at a time, over all their calendars.
--
-- The tables say "host". In the code and on screens a host is a person, because there "host" means the name of a web address.

-- An account has at least one person, its owner, whose id is that of the account. `user_id` leads the key, so that a calendar can only
-- have a person of its own account.
create table hosts (
  user_id uuid not null references profiles on delete cascade,
  id uuid not null unique,
  name text not null,
  created_at timestamptz not null default now(),
  -- When the owner has put the list of overlaps of this person away (see `allows_overlap` below).
  overlaps_seen_at timestamptz,
  primary key (user_id, id)
);

insert into hosts (user_id, id, name, created_at)
select id, id, full_name, created_at from profiles;

-- The owner's person is made with the account, and has its name.
create function keep_person_of_owner() returns trigger language plpgsql as $$
begin
  insert into hosts (user_id, id, name) values (new.id, new.id, new.full_name)
  on conflict (user_id, id) do update set name = excluded.name;
  return null;
end
$$;
create trigger profiles_person after insert or update of full_name on profiles
  for each row execute function keep_person_of_owner();

-- Calendars without a professional name belong to the owner, and so do those that all have the same name. Otherwise each name that is
-- not the owner's is a person. Names are compared without regard to capital letters and blanks.
create function folded_name(name text) returns text language sql immutable as $$
  select lower(regexp_replace(normalize(name), '\s+', '', 'g'))
$$;

insert into hosts (user_id, id, name, created_at)
select named.user_id, gen_random_uuid(), min(named.name), min(named.created_at)
from (
  select user_id, created_at, btrim(concat_ws(' ', btrim(professional_first_name), btrim(professional_last_name))) as name
  from calendars
) as named
join profiles on profiles.id = named.user_id
where folded_name(named.name) not in ('', folded_name(profiles.full_name))
  and exists (
    select from calendars as others
    where others.user_id = named.user_id
      and folded_name(concat_ws(' ', others.professional_first_name, others.professional_last_name))
        not in ('', folded_name(named.name))
  )
group by named.user_id, folded_name(named.name);

alter table calendars add column host_id uuid;
update calendars set host_id = coalesce(
  (
    select id from hosts
    where hosts.user_id = calendars.user_id and hosts.id <> hosts.user_id
      and folded_name(hosts.name)
        = folded_name(concat_ws(' ', calendars.professional_first_name, calendars.professional_last_name))
  ),
  user_id
);
alter table calendars alter column host_id set not null;
alter table calendars add foreign key (user_id, host_id) references hosts;
create index calendars_host_id_idx on calendars (host_id);

drop function folded_name;

-- Whose time an appointment takes: the person of its calendar when it took that time. It is no foreign key, like the ids of the type and
-- of the location: a past appointment keeps it when the person is gone.
alter table appointments add column host_id uuid;
-- It overlapped another appointment of the same person before one person was booked once. The constraint leaves it alone.
alter table appointments add column allows_overlap boolean not null default false;

-- Of those that take their time, one that begins before all earlier ones of its person have ended overlaps. The others do not overlap
-- each other.
update appointments set host_id = taken.host_id, allows_overlap = taken.holds_time and coalesce(starts_at < taken.taken_until, false)
from (
  select calendar_id, id, host_id, holds_time, max(ends_at) over (
    partition by host_id, holds_time order by starts_at, calendar_id, id rows between unbounded preceding and 1 preceding
  ) as taken_until
  from (
    select appointments.calendar_id, appointments.id, calendars.host_id, starts_at, ends_at,
      status <> 'cancelled' and released_at is null as holds_time
    from appointments join calendars on calendars.id = appointments.calendar_id
  ) as held
) as taken
where appointments.calendar_id = taken.calendar_id and appointments.id = taken.id;

alter table appointments alter column host_id set not null;
-- The buffer is no part of it: between two calendars the larger of their present buffers applies, which the slots keep.
alter table appointments add constraint appointments_no_person_conflict exclude using gist (
  host_id with =,
  tstzrange(starts_at, ends_at) with &&
) where (status <> 'cancelled' and released_at is null and not allows_overlap);
create index appointments_allows_overlap_idx on appointments (host_id, starts_at) where allows_overlap;
