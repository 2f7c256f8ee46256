-- Facts about the installation itself, in one row. The first start writes it.
create table installation (
  is_only boolean primary key default true check (is_only),
  -- Identifies the SECRET_KEY that the stored secrets are encrypted with. It does not reveal the key.
  key_fingerprint text not null check (length(key_fingerprint) <= 64),
  -- The key of the names that stand for addresses (recipient keys, pseudonyms), encrypted. It stays when SECRET_KEY changes, because
  -- such a name cannot be computed again without the address.
  names_key_encrypted bytea not null
);
