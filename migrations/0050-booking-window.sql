-- How far ahead customers can book: today and the next days, at most two years.

alter table calendars
  add column booking_window_days integer not null default 730 check (booking_window_days between 0 and 730);
