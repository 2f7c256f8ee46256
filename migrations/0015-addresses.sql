-- The addresses of calendars besides /book/{slug}: paths, subdomains of the installation, and domains of the owners.

-- A path is a word like a slug, and both are in one table, so that no word is ever given out twice. The row of a path says whose it
-- is. A calendar that takes another path keeps the rows of earlier ones: they lead to it for good.
alter table public_calendars add column path_of uuid references calendars on delete set null;
alter table public_calendars
  add constraint public_calendars_slug_or_path check (calendar_id is null or path_of is null);
create index public_calendars_path_of_idx on public_calendars (path_of) where path_of is not null;

-- Host names that lead to calendars, as lower-case A-labels without a port.
--   pending   claimed: nothing is served until its owner has proven that it is theirs
--   live      the address of its calendar
--   failing   proven, and has not pointed here for a week: kept, and not served
--   retired   an earlier address: it leads to the present one
--   released  a domain that its calendar has lost: nothing is served, and another calendar may have it
create table calendar_hosts (
  id uuid primary key,
  host text not null check (host ~ '^[a-z0-9-]+([.][a-z0-9-]+)+$' and length(host) <= 253),
  -- Null: the calendar was deleted. Its subdomain stays retired for good.
  calendar_id uuid references calendars on delete set null,
  kind text not null check (kind in ('subdomain', 'custom')),
  state text not null check (state in ('pending', 'live', 'failing', 'retired', 'released')),
  -- What the TXT record of a domain has to say. It is bound to the calendar.
  challenge text check (kind = 'subdomain' or challenge is not null),
  created_at timestamptz not null default now(),
  -- When its owner proved it last.
  verified_at timestamptz,
  last_checked_at timestamptz,
  -- Since when it does not point here; null while it does.
  failing_since timestamptz,
  check (kind = 'custom' or state in ('live', 'retired')),
  check (state not in ('live', 'failing') or verified_at is not null)
);
-- A name leads to one calendar. Many may have claimed a domain without having proven it.
create unique index calendar_hosts_served_idx on calendar_hosts (host) where state in ('live', 'failing', 'retired');
-- A calendar has one address besides its path, and one claim of a name.
create unique index calendar_hosts_current_idx on calendar_hosts (calendar_id)
  where state in ('pending', 'live', 'failing');
create unique index calendar_hosts_claim_idx on calendar_hosts (calendar_id, host);
-- The daily check.
create index calendar_hosts_checked_idx on calendar_hosts (last_checked_at)
  where kind = 'custom' and state in ('live', 'failing', 'retired');
