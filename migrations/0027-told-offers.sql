-- When the email of an offer left, or was refused for good. Null while it waits, and for offers from before this was written down.
alter table waiting_offers add column mailed_at timestamptz;
