-- What the stand-ins for the outside world keep. In production these tables stay empty.

-- Emails that would have been sent, when no SMTP server is configured.
create table sandbox_mails (
  id uuid primary key default gen_random_uuid(),
  message_id text not null unique,
  mail jsonb not null,
  created_at timestamptz not null default now()
);
create index sandbox_mails_created_at_idx on sandbox_mails (created_at desc);

-- The objects of the stand-ins for the payment providers.
create table sandbox_objects (
  provider text not null,
  id text not null,
  kind text not null,
  object jsonb not null,
  created_at timestamptz not null default now(),
  primary key (provider, id)
);
create index sandbox_objects_kind_idx on sandbox_objects (provider, kind, created_at);
