-- Locations, and the calendars that use them.

-- A location belongs to an owner, and several calendars may use it: this is the one tenant table without calendar_id.
create table locations (
  id uuid primary key,
  user_id uuid not null references profiles on delete cascade,
  name text not null check (btrim(name) <> ''),
  address text,
  type text not null default 'physical' check (type in ('physical', 'online')),
  shareable boolean not null default false,
  -- Only one appointment at a time, over all calendars that use the location.
  exclusive boolean not null default true,
  created_at timestamptz not null default now()
);
create index locations_user_id_idx on locations (user_id, name);

create table calendar_locations (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  location_id uuid not null references locations on delete cascade,
  is_primary boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (calendar_id, id),
  unique (calendar_id, location_id)
);
create unique index calendar_locations_one_primary on calendar_locations (calendar_id) where is_primary;
-- Where a location is used: read when it is deleted, and when an owner asks what a deletion would do.
create index calendar_locations_location_id_idx on calendar_locations (location_id);
