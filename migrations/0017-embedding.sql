-- The booking page inside of other websites.

-- The origins of the websites that may show the booking page in a frame, such as https://www.example.com. Null means that any website may,
-- and an empty array that none may.
alter table calendars add column embed_sites text[]
  check (embed_sites is null or (cardinality(embed_sites) <= 20 and array_position(embed_sites, null) is null));
