-- Calendars, their booking links, and their opening hours.

-- Every booking link that was ever given out. When a calendar is deleted, its row stays without a calendar and nobody can take
-- the slug again. So an old link never leads to somebody else.
create table public_calendars (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  calendar_id uuid unique,
  public_url text
);

create table calendars (
  id uuid primary key,
  user_id uuid not null references profiles on delete cascade,
  slug text not null unique references public_calendars deferrable initially deferred,
  name text not null check (btrim(name) <> ''),
  description text,
  color text not null default '#3498db' check (color ~ '^#[0-9a-fA-F]{6}$'),
  category text,
  professional_first_name text,
  professional_last_name text,
  timezone text not null default 'Europe/London',
  appointment_title_required boolean not null default true,
  default_appointment_title text,
  payment_required boolean not null default false,
  -- Customers confirm their email address with a code before a booking counts. Until then the booking is a hold.
  email_confirmation_required boolean not null default false,
  is_connected_to_google boolean not null default false,
  slot_duration_minutes integer not null default 30 check (slot_duration_minutes in (15, 30, 60)),
  buffer_time_minutes integer not null default 0
    check (buffer_time_minutes between 0 and 60 and buffer_time_minutes % 5 = 0),
  max_appointment_duration_minutes integer not null default 120
    check (max_appointment_duration_minutes between slot_duration_minutes and 480),
  minimum_notice_minutes integer not null default 0 check (minimum_notice_minutes between 0 and 43200),
  reminder_settings jsonb not null default '{}',
  domain_settings jsonb not null default '{"type": "path"}',
  branding_settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index calendars_user_id_idx on calendars (user_id, created_at desc);

-- The two tables refer to each other.
alter table public_calendars
  add foreign key (calendar_id) references calendars on delete set null;

-- One opening of a weekday, [start_time, end_time), in the wall clock of the calendar's zone. 24:00:00 is a valid end.
create table availability (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  day_of_week smallint not null check (day_of_week between 0 and 6),
  start_time time not null,
  end_time time not null,
  primary key (calendar_id, id),
  check (start_time < end_time),
  constraint availability_no_overlap exclude using gist (
    calendar_id with =,
    day_of_week with =,
    int4range(extract(epoch from start_time)::integer, extract(epoch from end_time)::integer) with &&
  )
);
