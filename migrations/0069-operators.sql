-- Invitations to an installation whose REGISTRATION is `invited`, and what its operator did to accounts (rules U35 to U37).

-- At most one invitation an address; another one replaces it. Deleted when an account is made with it, or when it has expired.
create table invitations (
  email text primary key,
  -- The id in the emailed link.
  id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table operator_actions (
  user_id uuid not null references profiles on delete cascade,
  id uuid not null default gen_random_uuid(),
  at timestamptz not null,
  action text not null check (
    action in ('invited', 'unlocked', 'unlock_undone', 'second_factor_removed', 'plan_given', 'emails_sent_again')
  ),
  -- The plan, or the number of emails.
  detail text,
  -- The counts that an unlocking deleted, until it is undone. Their keys are pseudonyms.
  counts jsonb,
  primary key (user_id, id),
  check (counts is null or action = 'unlocked')
);
create index operator_actions_at_idx on operator_actions (user_id, at desc);
