-- Connections whose syncs take long are synced by workers of their own (rule G15).
alter table calendar_connections add column is_slow boolean not null default false;
