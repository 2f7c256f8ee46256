-- What an owner keeps about a customer, and how customers are listed.

-- The owner's own notes. They are in no message and on no page of the customer.
alter table customers add column notes text check (length(notes) between 1 and 10000);

-- The list of customers, page by page.
create index customers_name_idx on customers (calendar_id, lower(name), id);
-- The search reads this index. Without fastupdate there is no pending list, which only a vacuum would empty.
create index customers_search_idx on customers
  using gin (person_search_text(name, email, client_id, phone) gin_trgm_ops) with (fastupdate = off);
