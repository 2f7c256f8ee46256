-- How often appointments of a type start (rule T63): null is the slot length of the calendar, 0 the length of the type. A packed type
-- also starts right after busy times, and ends right before them (rule T64).

alter table appointment_types
  add column start_step_minutes integer check (start_step_minutes between 0 and 240 and start_step_minutes % 5 = 0),
  add column is_packed boolean not null default false;
