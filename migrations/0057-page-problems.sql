-- Why customers cannot book on a calendar's page as its owner expects, as the daily check found it. A row stays for as
-- long as the problem does, so the owner gets one email about it.

create table page_problems (
  calendar_id uuid not null references calendars (id) on delete cascade,
  kind text not null check (
    kind in ('no_hours', 'taken_elsewhere', 'nothing_offered', 'type_never_fits', 'no_payment_account')
  ),
  -- The type that has the problem; null for the whole page.
  appointment_type_id uuid,
  found_at timestamptz not null,
  unique nulls not distinct (calendar_id, kind, appointment_type_id),
  foreign key (calendar_id, appointment_type_id) references appointment_types (calendar_id, id) on delete cascade,
  check ((appointment_type_id is not null) = (kind in ('type_never_fits', 'no_payment_account')))
);
