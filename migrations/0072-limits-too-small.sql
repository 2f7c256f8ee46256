-- A limit in minutes is smaller than one appointment, so customers never find a time.
alter table page_problems
  drop constraint page_problems_kind_check,
  add constraint page_problems_kind_check check (
    kind in (
      'no_hours', 'taken_elsewhere', 'nothing_offered', 'type_never_fits', 'type_hours_never_meet', 'no_payment_account',
      'standing_date_missed', 'window_ended', 'type_window_ended', 'limit_too_small', 'type_exceeds_limit',
      'type_limit_too_small'
    )
  ),
  drop constraint page_problems_check,
  add constraint page_problems_check check (
    (appointment_type_id is not null) = (kind in (
      'type_never_fits', 'type_hours_never_meet', 'no_payment_account', 'type_window_ended', 'type_exceeds_limit',
      'type_limit_too_small'
    ))
  );
