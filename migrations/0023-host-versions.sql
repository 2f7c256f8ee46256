-- Every process keeps the hosts of calendars in memory, and asks this row whether they are still the same.
create table host_versions (
  -- One row, made by the first change.
  is_present boolean primary key default true check (is_present),
  version bigint not null
);

create function count_host_change() returns trigger language plpgsql as $$
begin
  insert into host_versions values (true, 1)
  on conflict (is_present) do update set version = host_versions.version + 1;
  return null;
end $$;

-- At the end of the transaction, so that changes of different hosts wait for each other no longer than a commit takes, and the
-- version grows in the order in which the changes can be seen.
create constraint trigger calendar_hosts_are_counted
  after insert or delete or update of host, calendar_id, state on calendar_hosts
  deferrable initially deferred
  for each row execute function count_host_change();
