-- What was used of each budget in its present window (src/core/abuse/budgets.ts). The key has the budget's name and a hash of
-- whom it is counted for. Counting waits for no disk: after a crash of the database it begins anew.
create unlogged table budget_uses (
  key text primary key,
  used integer not null check (used >= 0),
  ends_at timestamptz not null
);
create index budget_uses_ends_at_idx on budget_uses (ends_at);
