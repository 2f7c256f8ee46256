-- Whether the waiting list offers what is free on the days of a change. The owner cannot come on these days, unless they say so.
alter table many_changes add column for_waiting_list boolean not null default false;
