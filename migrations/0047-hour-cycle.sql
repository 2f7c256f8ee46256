-- The owner chooses between a 12-hour and a 24-hour clock for each calendar.

alter table calendars
  add column hour_cycle text not null default 'h12' check (hour_cycle in ('h12', 'h23'));
