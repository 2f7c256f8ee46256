-- False for a type that customers reach only by its link. It is on no public list (rule T65).

alter table appointment_types add column is_listed boolean not null default true;
