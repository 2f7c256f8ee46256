-- Kinds of booking windows (rule T67), of a calendar and of an appointment type. A type without one has its calendar's.

-- Whether a window has the shape that the product reads. Dates are yyyy-MM-dd.
create function is_booking_window(booking_window jsonb) returns boolean language sql immutable as $$
  select coalesce(
    case booking_window ->> 'kind'
      when 'none' then true
      when 'days' then (booking_window ->> 'days')::numeric between 0 and 730
      when 'open_days' then (booking_window ->> 'days')::numeric between 0 and 730
      when 'until' then booking_window ->> 'until' ~ '^\d{4}-\d\d-\d\d$'
      when 'between' then booking_window ->> 'from' ~ '^\d{4}-\d\d-\d\d$'
        and booking_window ->> 'until' ~ '^\d{4}-\d\d-\d\d$'
        and booking_window ->> 'from' <= booking_window ->> 'until'
    end,
    false
  )
$$;

alter table calendars add column booking_window jsonb not null default '{"kind": "none"}'
  constraint calendars_booking_window check (is_booking_window(booking_window));
update calendars set booking_window = jsonb_build_object('kind', 'days', 'days', booking_window_days)
  where booking_window_days < 730;
alter table calendars drop column booking_window_days;

alter table appointment_types add column booking_window jsonb
  constraint appointment_types_booking_window check (booking_window is null or is_booking_window(booking_window));

-- The booking window of the page, or of a type, has ended.
alter table page_problems
  drop constraint page_problems_kind_check,
  add constraint page_problems_kind_check check (
    kind in (
      'no_hours', 'taken_elsewhere', 'nothing_offered', 'type_never_fits', 'type_hours_never_meet', 'no_payment_account',
      'standing_date_missed', 'window_ended', 'type_window_ended'
    )
  ),
  drop constraint page_problems_check,
  add constraint page_problems_check check (
    (appointment_type_id is not null) = (kind in (
      'type_never_fits', 'type_hours_never_meet', 'no_payment_account', 'type_window_ended'
    ))
  );
