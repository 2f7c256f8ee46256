-- An owner can book a test appointment with themselves (rule U34). It takes its time, but counts nowhere.
alter table appointments add column is_test boolean not null default false;
-- A calendar has at most one.
create unique index appointments_is_test_key on appointments (calendar_id) where is_test;
