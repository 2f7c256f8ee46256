-- Why the last backup failed; null when it worked or none was made (rule D21).
alter table installation
  add column backup_failed_at timestamptz,
  add column backup_error text,
  add check ((backup_failed_at is null) = (backup_error is null));
