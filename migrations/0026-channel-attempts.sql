-- Channels for notifications that could not be opened: they are tried again later each time, and the others come before them.
alter table external_calendars
  add column channel_failed_attempts integer not null default 0 check (channel_failed_attempts >= 0),
  -- Null while none has failed.
  add column channel_retry_at timestamptz;
