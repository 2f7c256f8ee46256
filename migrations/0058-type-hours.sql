-- Weekly hours of an appointment type, in the wall clock of the calendar's zone. A type without a row can be booked whenever its
-- calendar is open (rule T60). 24:00:00 is a valid end.

create table type_hours (
  calendar_id uuid not null references calendars (id) on delete cascade,
  id uuid not null,
  appointment_type_id uuid not null,
  day_of_week smallint not null check (day_of_week between 0 and 6),
  start_time time not null,
  end_time time not null,
  primary key (calendar_id, id),
  foreign key (calendar_id, appointment_type_id) references appointment_types (calendar_id, id) on delete cascade,
  check (start_time < end_time),
  constraint type_hours_no_overlap exclude using gist (
    calendar_id with =,
    appointment_type_id with =,
    day_of_week with =,
    int4range(extract(epoch from start_time)::integer, extract(epoch from end_time)::integer) with &&
  )
);

-- The check of pages also finds types whose own hours never meet those of their calendar.
alter table page_problems
  drop constraint page_problems_kind_check,
  drop constraint page_problems_check,
  add constraint page_problems_kind_check check (
    kind in (
      'no_hours', 'taken_elsewhere', 'nothing_offered', 'type_never_fits', 'type_hours_never_meet', 'no_payment_account'
    )
  ),
  add constraint page_problems_check check (
    (appointment_type_id is not null) = (kind in ('type_never_fits', 'type_hours_never_meet', 'no_payment_account'))
  );
