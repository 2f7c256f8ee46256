-- The owners' own calendars at other providers: the accounts, what is busy there, and the events that we write there.

-- An owner's account at a provider of calendars. It belongs to the owner, so that a second calendar uses it without another
-- login.
create table calendar_connections (
  id uuid primary key,
  user_id uuid not null references profiles on delete cascade,
  provider text not null check (provider in ('google', 'microsoft', 'caldav', 'ics')),
  -- The provider's own name for the account: a reconnect with another account is noticed by it.
  account_id text not null,
  -- How people know the account: an email address, or the host of an address.
  account_name text not null,
  -- Tokens, a password or a secret address, as the adapter needs them.
  credentials_encrypted bytea not null,
  -- Each time the credentials change, so that of two changes at once the later one is not lost.
  credentials_version integer not null default 1,
  granted_scopes text[] not null default '{}',
  -- expired: the provider refuses the credentials. revoked: the owner disconnected, and events there are still to be removed.
  state text not null default 'active' check (state in ('active', 'expired', 'revoked')),
  -- What went wrong in the last attempt, as the owner reads it; null when it went well.
  problem text,
  failed_attempts integer not null default 0 check (failed_attempts >= 0),
  last_success_at timestamptz,
  -- When the last attempt went wrong; null when it went well.
  failed_at timestamptz,
  -- Since when every sync goes wrong; null when the last one went well.
  failing_since timestamptz,
  -- When the owner was told of that; null until then.
  trouble_told_at timestamptz,
  next_sync_at timestamptz not null default now(),
  -- Until when the provider wants to be left alone; null when it asked for nothing.
  paused_until timestamptz,
  -- The sync that runs, and until when it counts as alive: a killed process leaves it to the next one.
  sync_claim uuid,
  claimed_until timestamptz,
  -- When the provider last listed the calendars of the account.
  listed_at timestamptz,
  -- When the owner was told that it expired; null while it is active.
  expiry_told_at timestamptz,
  -- The first sync after a reconnect follows no change blindly.
  reconnected_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, provider, account_id)
);
create index calendar_connections_next_sync_at_idx on calendar_connections (next_sync_at) where state = 'active';

-- An owner on the way to a provider and back. It is bound to the session, so a link that somebody else sends connects nothing.
create table calendar_authorizations (
  state_hash text primary key,
  session_id uuid not null references sessions on delete cascade,
  calendar_id uuid not null references calendars on delete cascade,
  provider text not null check (provider in ('google', 'microsoft')),
  -- read: busy times only. write: events of appointments, too.
  access text not null check (access in ('read', 'write')),
  code_verifier text not null,
  -- The connection that is renewed; null for a new one.
  connection_id uuid references calendar_connections on delete cascade,
  expires_at timestamptz not null
);
create index calendar_authorizations_expires_at_idx on calendar_authorizations (expires_at);

-- A calendar of such an account.
create table external_calendars (
  id uuid primary key,
  connection_id uuid not null references calendar_connections on delete cascade,
  -- The provider's name for it; of CalDAV its address.
  external_id text not null,
  name text not null,
  color text,
  -- Its own zone, in which its all-day events lie; null where the provider names none.
  time_zone text,
  is_primary boolean not null default false,
  can_write boolean not null default false,
  -- Since when the provider leaves it out of its list, while it is in use; null while it is listed.
  missing_since timestamptz,
  -- The provider does not have it any more.
  is_gone boolean not null default false,
  -- Where the next sync goes on; null for a full sync.
  sync_cursor text,
  -- Each full sync has a new one. What it did not see is deleted from our copy.
  generation integer not null default 0,
  -- Until when the copy of its busy times is true, and how far ahead it goes; null before the first sync.
  synced_at timestamptz,
  synced_until timestamptz,
  -- When changes of our own events were followed last: the guard after a reconnect lasts until then.
  followed_at timestamptz,
  -- When a question before a booking was answered last, and which stretch of time it was about.
  checked_at timestamptz,
  checked_from timestamptz,
  checked_until timestamptz,
  unique (connection_id, external_id)
);

-- What a calendar uses of the external calendars of its owner.
create table used_external_calendars (
  calendar_id uuid not null references calendars on delete cascade,
  external_calendar_id uuid not null references external_calendars on delete cascade,
  reads_busy_times boolean not null default false,
  writes_events boolean not null default false,
  primary key (calendar_id, external_calendar_id),
  check (reads_busy_times or writes_events)
);
create unique index used_external_calendars_written on used_external_calendars (calendar_id) where writes_events;
create index used_external_calendars_external_idx on used_external_calendars (external_calendar_id);

create table external_calendar_settings (
  calendar_id uuid primary key references calendars on delete cascade,
  -- We write appointments to the external calendar.
  auto_sync boolean not null default true,
  -- We follow what the owner changes there.
  two_way_sync boolean not null default true,
  -- Events are called 'Booked' and say nothing about the customer.
  hide_customer boolean not null default false,
  -- What customers are offered while an external calendar cannot be checked. trust_copy: the last copy, up to 24 hours old.
  when_unchecked text not null default 'trust_copy'
    check (when_unchecked in ('trust_copy', 'offer_nothing', 'always_offer')),
  updated_at timestamptz not null default now()
);

-- Our copy of the times that are taken in an external calendar.
create table external_busy_times (
  external_calendar_id uuid not null references external_calendars on delete cascade,
  -- What the provider replaces as one: an event, one occurrence of a series, or (CalDAV) a whole series.
  event_id text not null,
  -- Which occurrence of it; '' where there is only one.
  occurrence text not null default '',
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Only the owner reads it.
  title text,
  is_all_day boolean not null default false,
  generation integer not null,
  -- Of a time that a question before a booking found: when it was asked. A sync that begins later replaces it.
  asked_at timestamptz,
  -- The calendar of ours whose appointment it is: for that one it is not busy, for the others it is.
  appointment_calendar_id uuid,
  primary key (external_calendar_id, event_id, occurrence),
  check (starts_at < ends_at)
);
create index external_busy_times_time_idx on external_busy_times
  using gist (external_calendar_id, tstzrange(starts_at, ends_at));

-- A subscription to the notifications of a provider. Renewing one makes a new row before the old one is stopped.
create table sync_channels (
  -- Ours at Google, the provider's at Microsoft.
  id text primary key,
  external_calendar_id uuid not null references external_calendars on delete cascade,
  -- The provider's name for what is watched, which stopping needs.
  resource_id text,
  -- A notification without the secret is not from the provider.
  secret_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  stopped_at timestamptz
);
create index sync_channels_external_calendar_idx on sync_channels (external_calendar_id);

-- The event of an appointment in an external calendar. It stays where it was written, also when the owner chooses another
-- calendar to write to.
create table appointment_events (
  calendar_id uuid not null,
  appointment_id uuid not null,
  external_calendar_id uuid not null references external_calendars on delete cascade,
  -- The provider's handle of the event: its id, or its address at CalDAV.
  event_ref text not null,
  etag text,
  -- What we last wrote or followed: times and texts. By it, our own writes are told from changes of the owner.
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  content_hash text not null,
  -- The title that the owner gave it there, which stays; null while it is ours.
  title_there text,
  written_at timestamptz not null,
  primary key (calendar_id, appointment_id),
  foreign key (calendar_id, appointment_id) references appointments on delete cascade,
  unique (external_calendar_id, event_ref)
);

-- An account to which nothing is written for a while: the provider asked for the pause, or does not answer.
create table event_pauses (
  connection_id uuid primary key references calendar_connections on delete cascade,
  until timestamptz not null,
  -- Until when the provider asked for it; null when it asked for nothing. That much is kept whatever else goes well meanwhile.
  asked_until timestamptz,
  failed_attempts integer not null check (failed_attempts > 0)
);

-- The write of an event that is under way: one at a time for each appointment. Also one that failed for this event alone: it
-- waits, and the others of its account go on.
create table event_writes (
  calendar_id uuid not null,
  appointment_id uuid not null,
  -- Who writes, and until when that counts as alive: a killed process leaves it to the next one.
  claim uuid,
  claimed_until timestamptz,
  paused_until timestamptz,
  failed_attempts integer not null default 0 check (failed_attempts >= 0),
  primary key (calendar_id, appointment_id),
  check ((claim is null) = (claimed_until is null)),
  foreign key (calendar_id, appointment_id) references appointments on delete cascade
);

-- Changes there that nothing followed here: the owner is asked what to do.
create table external_changes (
  calendar_id uuid not null,
  id uuid not null,
  appointment_id uuid not null,
  external_calendar_id uuid not null references external_calendars on delete cascade,
  kind text not null check (kind in ('deleted', 'moved')),
  -- many_deletions: more than three at once. many_moves: more than five. calendar_gone: deleted or emptied. reconnected: the first sync after it.
  reason text not null check (reason in ('many_deletions', 'many_moves', 'calendar_gone', 'reconnected')),
  -- Of a move: the time there.
  starts_at timestamptz,
  ends_at timestamptz,
  noticed_at timestamptz not null,
  primary key (calendar_id, id),
  -- An appointment waits for one decision at most.
  unique (calendar_id, appointment_id),
  foreign key (calendar_id, appointment_id) references appointments on delete cascade
);

-- What became of an appointment, for its owner. The newest lines say the most.
create table appointment_history (
  calendar_id uuid not null,
  id uuid not null,
  appointment_id uuid not null,
  at timestamptz not null,
  -- moved, cancelled, put_back, …: the catalogue is in the contract.
  kind text not null,
  -- Who caused it.
  caused_by text not null check (caused_by in ('owner', 'customer', 'external_calendar', 'product')),
  details jsonb not null default '{}',
  primary key (calendar_id, id),
  foreign key (calendar_id, appointment_id) references appointments on delete cascade
);
create index appointment_history_appointment_idx on appointment_history (calendar_id, appointment_id, at desc);

-- The secret address at which a calendar program reads the appointments of a calendar.
create table calendar_feeds (
  calendar_id uuid primary key references calendars on delete cascade,
  -- A request is found by the hash; the owner can read the address again.
  token_hash text not null unique,
  token_encrypted bytea not null,
  created_at timestamptz not null default now()
);

-- When an appointment was last moved, and from which start. Who has just read of the new time needs no reminder of it.
alter table appointments add column moved_at timestamptz, add column moved_from timestamptz,
  add check ((moved_at is null) = (moved_from is null));

-- It follows from the connections.
alter table calendars drop column is_connected_to_google;

-- Appointments whose event does not match them yet, for the job that catches up.
create index appointments_needs_sync_idx on appointments (calendar_id) where needs_google_sync;

-- Nobody has asked for it in earlier versions: no calendar could be connected.
update appointments set needs_google_sync = false where needs_google_sync;
