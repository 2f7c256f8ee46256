-- What clients asked for in the present window, over all web processes; by `platform/http/request-counts.ts`.
-- Not worth a log: after a crash the counting begins anew.
create unlogged table request_counts (
  key text primary key,
  window_start_ms bigint not null,
  count integer not null
);
