-- Public holidays that are proposed as closed days, and a note to customers on special days (rules T56 to T58).

-- Calendars whose owner wants proposals. The codes are those of the package date-holidays, such as DE and BY.
create table holiday_regions (
  calendar_id uuid primary key references calendars on delete cascade,
  country text not null check (length(country) = 2),
  -- Null for the holidays of the whole country.
  region text check (length(region) between 1 and 20)
);

-- The dates of holidays that the owner keeps open. They are not proposed again.
create table holiday_choices (
  calendar_id uuid not null references calendars on delete cascade,
  date date not null,
  primary key (calendar_id, date)
);

alter table special_days
  -- 'holiday' for a holiday that was proposed and closed: its date is kept open once the entry no longer covers it.
  add column source text not null default 'owner' check (source in ('owner', 'holiday')),
  add column public_note text check (btrim(public_note) <> '' and length(public_note) <= 200);
