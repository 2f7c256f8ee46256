import { sql } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** The calendar whose rows are copied, and the new calendar that gets the copies. */
type Copy = { readonly originalId: string; readonly copyId: string }

export async function copyOpenings(trx: Trx, { originalId, copyId }: Copy): Promise<void> {
  await sql`
    insert into availability (calendar_id, id, day_of_week, start_time, end_time)
    select ${copyId}, gen_random_uuid(), day_of_week, start_time, end_time
    from availability where calendar_id = ${originalId}`.execute(trx)
}

/** Copies the special days that end on `today` or later, with their hours. */
export async function copySpecialDays(
  trx: Trx,
  { originalId, copyId, today }: Copy & { readonly today: string },
): Promise<void> {
  await sql`
    with days as materialized (
      select id, gen_random_uuid() as new_id, first_date, last_date, note, public_note, source
      from special_days where calendar_id = ${originalId} and last_date >= ${today}::date
    ), copied as (
      insert into special_days (calendar_id, id, first_date, last_date, note, public_note, source)
      select ${copyId}, new_id, first_date, last_date, note, public_note, source from days
    )
    insert into special_hours (calendar_id, id, special_days_id, start_time, end_time)
    select ${copyId}, gen_random_uuid(), days.new_id, start_time, end_time
    from special_hours join days on days.id = special_hours.special_days_id
    where special_hours.calendar_id = ${originalId}`.execute(trx)
}

/** Copies the region whose public holidays are proposed, and the holidays that stay open. */
export async function copyHolidays(trx: Trx, { originalId, copyId }: Copy): Promise<void> {
  await sql`
    with kept_open as (
      insert into holiday_choices (calendar_id, date)
      select ${copyId}, date from holiday_choices where calendar_id = ${originalId}
    )
    insert into holiday_regions (calendar_id, country, region)
    select ${copyId}, country, region from holiday_regions where calendar_id = ${originalId}`.execute(trx)
}

/** Copies the types, their order and hours, the questions and the limits. A type at another owner's location loses it. */
export async function copyTypes(
  trx: Trx,
  { originalId, copyId, ownerId, copiedAt }: Copy & { readonly ownerId: OwnerId; readonly copiedAt: Date },
): Promise<void> {
  await sql`
    with types as materialized (
      select *, gen_random_uuid() as new_id from appointment_types where calendar_id = ${originalId}
    ), asked as materialized (
      select *, gen_random_uuid() as new_id from questions where calendar_id = ${originalId}
    ), copied as (
      insert into appointment_types (calendar_id, id, name, duration, prepare_minutes, wrap_up_minutes,
        start_step_minutes, is_packed, description,
        color, price_cents, fee_note, stripe_price_id, is_online, location_id, payment_required, seats, shows_seats,
        is_listed, booking_window, policy, series_rule, position, created_at, updated_at)
      select ${copyId}, new_id, types.name, duration, prepare_minutes, wrap_up_minutes,
        start_step_minutes, is_packed, description,
        color, price_cents, fee_note, stripe_price_id, is_online, own.id, payment_required, seats, shows_seats,
        is_listed, booking_window, policy, series_rule, position, ${copiedAt}, ${copiedAt}
      from types left join locations as own on own.id = types.location_id and own.user_id = ${ownerId}
    ), hours as (
      insert into type_hours (calendar_id, id, appointment_type_id, day_of_week, start_time, end_time)
      select ${copyId}, gen_random_uuid(), types.new_id, day_of_week, start_time, end_time
      from type_hours join types on types.id = type_hours.appointment_type_id
      where type_hours.calendar_id = ${originalId}
    ), limits as (
      insert into booking_limits (calendar_id, id, appointment_type_id, period, unit, most)
      select ${copyId}, gen_random_uuid(), types.new_id, period, unit, most
      from booking_limits left join types on types.id = booking_limits.appointment_type_id
      where booking_limits.calendar_id = ${originalId}
    )
    insert into questions (calendar_id, id, appointment_type_id, place, kind, label, help, is_required, is_private,
      choices, shown_if)
    select ${copyId}, asked.new_id, types.new_id, place, kind, label, help, is_required, is_private, choices,
      (
        select jsonb_set(asked.shown_if, '{question_id}', to_jsonb(earlier.new_id))
        from asked as earlier where earlier.id::text = asked.shown_if ->> 'question_id'
      )
    from asked left join types on types.id = asked.appointment_type_id`.execute(trx)
}

/** Copies the owner's own locations of the calendar. If its primary one belongs to another owner, the first by name becomes primary. */
export async function copyLocations(
  trx: Trx,
  { originalId, copyId, ownerId, copiedAt }: Copy & { readonly ownerId: OwnerId; readonly copiedAt: Date },
): Promise<void> {
  await sql`
    insert into calendar_locations (calendar_id, id, location_id, is_primary, created_at)
    select ${copyId}, gen_random_uuid(), own.id,
      row_number() over (order by uses.is_primary desc, lower(own.name), uses.id) = 1, ${copiedAt}
    from calendar_locations as uses
    join locations as own on own.id = uses.location_id and own.user_id = ${ownerId}
    where uses.calendar_id = ${originalId}`.execute(trx)
}
