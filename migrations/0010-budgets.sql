-- Counters that keep strangers from asking for too much. They are unlogged: counting does not wait for the disk, and after a crash
-- of the database it begins again.

-- How often each client asked in the present window, over all web processes (platform/http/request-counts.ts).
create unlogged table request_counts (
  key text primary key,
  window_start_ms bigint not null,
  count integer not null
);

-- How much of each budget was used in its present window (src/core/abuse/budgets.ts). The key is the name of the budget and a hash
-- of whom it is counted for.
create unlogged table budget_uses (
  key text primary key,
  used integer not null check (used >= 0),
  ends_at timestamptz not null
);
create index budget_uses_ends_at_idx on budget_uses (ends_at);
