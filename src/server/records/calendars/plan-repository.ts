import { sql } from 'kysely'
import type { OpenCalendarCandidate } from '#core/plans/open-calendars.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { actingAs } from '#server/platform/db/acting-as.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/**
 * SQL that is true when a calendar takes no new bookings: the plan allows fewer calendars, or the owner has turned
 * bookings off. Source: rules S13 and C17.
 */
export const IS_PAUSED_SQL = '(calendars.is_paused or not calendars.takes_bookings)'

export type PlanCalendar = OpenCalendarCandidate & {
  readonly name: string
  readonly has_paypal: boolean
  readonly has_branding: boolean
  readonly has_domain: boolean
}

/** Lists the owner's calendars with the facts that plan limits depend on. */
export async function listPlanCalendars(db: Db, ownerId: OwnerId, now: Date): Promise<PlanCalendar[]> {
  const rows = await db
    .selectFrom('calendars')
    .leftJoin('payment_settings', 'payment_settings.calendar_id', 'calendars.id')
    .where('calendars.user_id', '=', ownerId)
    .select((eb) => [
      'calendars.id',
      'calendars.name',
      'calendars.is_paused',
      'calendars.stays_open',
      'calendars.created_at',
      sql<boolean>`coalesce(payment_settings.paypal_connected, false)`.as('has_paypal'),
      sql<boolean>`calendars.branding_settings <> '{}'`.as('has_branding'),
      sql<boolean>`coalesce(calendars.domain_settings ->> 'type', 'path') = 'custom'`.as('has_domain'),
      eb
        .selectFrom('appointments')
        .select(sql<number>`count(*)::integer`.as('upcoming'))
        .whereRef('appointments.calendar_id', '=', 'calendars.id')
        .where(isFutureAppointment(now))
        .where('appointments.is_test', '=', false)
        .as('upcoming'),
    ])
    .execute()
  return rows.map((row) => ({
    ...row,
    upcomingAppointments: row.upcoming ?? 0,
    createdAtMs: row.created_at.getTime(),
  }))
}

/**
 * Locks all calendars of an owner, always in the same order, so that no booking can happen meanwhile. The account is
 * locked.
 */
export async function lockCalendarsOfOwner(trx: Trx, ownerId: OwnerId): Promise<void> {
  await trx
    .selectFrom('calendars')
    .select('id')
    .where('user_id', '=', ownerId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function setCalendarsPaused(
  trx: Trx,
  ownerId: OwnerId,
  { ids, isPaused }: { readonly ids: readonly string[]; readonly isPaused: boolean },
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('calendars')
    .set({ is_paused: isPaused })
    .where('user_id', '=', ownerId)
    .where('id', 'in', ids)
    .execute()
}

/** Stores which calendars the owner wants to keep open. */
export async function updateOpenCalendarChoice(
  trx: Trx,
  ownerId: OwnerId,
  ids: readonly string[],
): Promise<void> {
  await sql`
    with acting as (select ${actingAs(ownerId)})
    update calendars set stays_open = (id = any (${[...ids]}::uuid[])) from acting where user_id = ${ownerId}`.execute(
    trx,
  )
}
