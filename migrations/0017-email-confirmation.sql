-- A calendar may ask customers to confirm their email address with a code before a booking counts. Until then it is a hold.
alter table calendars add column email_confirmation_required boolean not null default false;
alter table appointments add column awaits_email_code boolean not null default false;
alter table holds drop constraint holds_reason_check;
alter table holds add constraint holds_reason_check check (reason in ('payment', 'email_confirmation'));
