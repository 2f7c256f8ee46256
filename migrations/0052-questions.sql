-- Questions that customers answer when they book, and their answers. An answer keeps the wording that was asked, so it
-- does not need its question. The answer to a private question is stored only encrypted.

create table questions (
  calendar_id uuid not null references calendars (id) on delete cascade,
  id uuid not null,
  -- The type whose bookings ask the question; null for all bookings.
  appointment_type_id uuid,
  place integer not null check (place >= 0),
  kind text not null check (
    kind in ('text', 'long_text', 'one_of', 'several_of', 'number', 'date', 'yes_no', 'phone', 'consent')
  ),
  label text not null check (char_length(label) between 1 and 200),
  help text check (char_length(help) between 1 and 200),
  is_required boolean not null,
  is_private boolean not null,
  choices jsonb not null default '[]' check (jsonb_typeof(choices) = 'array' and jsonb_array_length(choices) <= 30),
  -- {question_id, value}: asked only when the earlier question has this answer.
  shown_if jsonb check (shown_if ? 'question_id' and shown_if ? 'value'),
  primary key (calendar_id, id),
  foreign key (calendar_id, appointment_type_id) references appointment_types (calendar_id, id) on delete cascade
);

create index questions_type on questions (calendar_id, appointment_type_id);

create table answers (
  calendar_id uuid not null,
  id uuid not null,
  appointment_id uuid not null,
  question_id uuid not null,
  place integer not null,
  label text not null,
  kind text not null,
  value jsonb check (jsonb_typeof(value) = 'array'),
  value_encrypted bytea,
  primary key (calendar_id, appointment_id, question_id),
  foreign key (calendar_id, appointment_id) references appointments (calendar_id, id) on delete cascade,
  check (num_nonnulls(value, value_encrypted) = 1)
);

-- A new SECRET_KEY encrypts the private answers anew, one by one.
create index answers_id on answers (id);
