-- How far a new owner has come with the set-up. An account has a row if it registered after the set-up existed; other accounts
-- never see it.
create table setups (
  user_id uuid primary key references profiles on delete cascade,
  -- The steps, in their order.
  you text not null default 'open' check (you in ('open', 'done', 'skipped')),
  hours text not null default 'open' check (hours in ('open', 'done', 'skipped')),
  services text not null default 'open' check (services in ('open', 'done', 'skipped')),
  external_calendar text not null default 'open' check (external_calendar in ('open', 'done', 'skipped')),
  -- The calendar that is set up. Null before the first step, and after the owner has deleted it.
  calendar_id uuid references calendars on delete set null,
  -- When the owner put the checklist away.
  dismissed_at timestamptz,
  created_at timestamptz not null
);
create unique index setups_calendar_id_key on setups (calendar_id);
