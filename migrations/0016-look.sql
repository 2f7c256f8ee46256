-- The look of a booking page. What the owner typed is in calendars.branding_settings. These are the files that are made of it.

create table branding_files (
  calendar_id uuid not null references calendars (id) on delete cascade,
  -- Of the bytes, SHA-256 in hexadecimal: a file that changes has another name.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  -- logo: a PNG that was drawn anew. style: CSS that was checked and written anew.
  kind text not null check (kind in ('logo', 'style')),
  -- They are small and few, so both databases keep them, and a backup has them.
  content bytea not null check (octet_length(content) between 1 and 262144),
  -- Of a logo, in pixels.
  width integer check (width between 1 and 2000),
  height integer check (height between 1 and 2000),
  created_at timestamptz not null default now(),
  primary key (calendar_id, hash),
  check ((kind = 'logo') = (width is not null and height is not null))
);
