-- The zones in which the copy of an external calendar was read, should the calendar name none itself (rule G4). Null where that is not
-- known: the next sync reads the calendar anew, as whenever its readers have other zones than these.
alter table external_calendars add column read_in_zones text[];
