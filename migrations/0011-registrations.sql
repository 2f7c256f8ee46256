-- Who registered and has not confirmed their address. An account exists only once a link was opened, so that a stranger who
-- registers somebody's address has nothing: no session, no second factor, and no hold on the address.
create table registrations (
  id uuid primary key,
  -- Of two registrations of one address the later has the higher number; of two at once the order of ids decides.
  number integer not null,
  email text not null check (email = lower(email)),
  full_name text not null,
  password text not null,
  created_at timestamptz not null default now()
);
create index registrations_email_idx on registrations (email, number desc, id desc);
create index registrations_created_at_idx on registrations (created_at);

-- Accounts that were never confirmed become registrations. None of them could be logged in to, so none has a calendar.
insert into registrations (id, number, email, full_name, password)
  select profiles.id, 1, lower(profiles.email), profiles.full_name, accounts.password
  from profiles
  join accounts on accounts.user_id = profiles.id and accounts.provider_id = 'credential'
  where not profiles.email_verified and accounts.password is not null
    and not exists (select from calendars where calendars.user_id = profiles.id);
delete from profiles
  where not email_verified and not exists (select from calendars where calendars.user_id = profiles.id);

-- Every question for an account asks for `email = …`. An index on lower(email) serves none of them.
update profiles set email = lower(email) where email <> lower(email);
drop index profiles_email_key;
alter table profiles add constraint profiles_email_in_small_letters check (email = lower(email));
create unique index profiles_email_key on profiles (email);

-- Links and trusted devices of one account are removed together, by the account that they open.
create index verifications_value_idx on verifications (value);
create index verifications_expires_at_idx on verifications (expires_at);

-- Attempts are counted in budget_uses.
drop table rate_limits;
