-- How many appointments, or minutes of appointments, a calendar or one of its types takes in a day, week or month.

create table booking_limits (
  calendar_id uuid not null references calendars (id) on delete cascade,
  id uuid not null,
  -- The type that the limit counts; null when it counts all appointments of the calendar.
  appointment_type_id uuid,
  period text not null check (period in ('day', 'week', 'month')),
  unit text not null check (unit in ('appointments', 'minutes')),
  most integer not null check (most between 1 and 44640),
  primary key (calendar_id, id),
  foreign key (calendar_id, appointment_type_id) references appointment_types (calendar_id, id) on delete cascade,
  constraint booking_limits_once unique nulls not distinct (calendar_id, appointment_type_id, period, unit)
);
