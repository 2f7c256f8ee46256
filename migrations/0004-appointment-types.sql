-- What customers can book on a calendar.

create table appointment_types (
  calendar_id uuid not null references calendars on delete cascade,
  id uuid not null,
  name text not null check (btrim(name) <> ''),
  -- In minutes.
  duration integer not null default 30 check (duration between 5 and 1440),
  description text,
  color text not null default '#3498db' check (color ~ '^#[0-9a-fA-F]{6}$'),
  price_cents integer check (price_cents >= 0),
  stripe_price_id text,
  is_online boolean not null default false,
  location_id uuid references locations on delete set null,
  payment_required boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (calendar_id, id)
);
create index appointment_types_location_id_idx on appointment_types (location_id) where location_id is not null;
