-- Whether a host has a certificate, as far as we asked for it. Links lead to a host once it is 'ready' (rule I16).
--   pending   asked for, and not there yet
--   failed    the last try failed; it is tried again
--   ready     it is there, or the operator sees to it
alter table calendar_hosts
  add column certificate text not null default 'ready' check (certificate in ('pending', 'failed', 'ready')),
  add column certificate_tried_at timestamptz;
-- The hosts for which a certificate is asked for again.
create index calendar_hosts_certificate_idx on calendar_hosts (certificate_tried_at)
  where state = 'live' and certificate <> 'ready';
