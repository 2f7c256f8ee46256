-- The owner sets the order of a calendar's appointment types (rule C18).

-- Types are listed by ascending position. Positions have gaps where types were deleted.
alter table appointment_types add column position integer check (position >= 0);

-- Until now, types were listed by name.
update appointment_types set position = by_name.position
from (
  select calendar_id, id, row_number() over (partition by calendar_id order by lower(name), id) - 1 as position
  from appointment_types
) as by_name
where appointment_types.calendar_id = by_name.calendar_id and appointment_types.id = by_name.id;

alter table appointment_types alter column position set not null;
