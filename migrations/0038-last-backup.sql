-- When `npm run backup` made the last backup, for the metrics. Null before the first one.
alter table installation add column last_backup_at timestamptz;
