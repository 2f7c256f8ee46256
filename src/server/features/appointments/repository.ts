import { type SelectQueryBuilder, sql } from 'kysely'
import type { AppointmentFilter } from '#contract/appointments.ts'
import { LIMITS } from '#contract/limits.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'

export type AppointmentListRow = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

type ListQuery = {
  readonly calendarId: string
  readonly filter: AppointmentFilter
  /** Start of the calendar's today: what is before is past. */
  readonly todayStartsAt: Date
}

/** How many appointments a filter of the list has. */
export async function countAppointments(db: Db, ownerId: OwnerId, query: ListQuery): Promise<number> {
  const { count } = await matching(db.selectFrom('appointments'), query)
    .innerJoin('calendars', 'calendars.id', 'appointments.calendar_id')
    .where('calendars.user_id', '=', ownerId)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * One page of a list: upcoming earliest first, past and all newest first. A page in the second half is read from
 * the far end, because an OFFSET costs every row that it skips.
 */
export async function listAppointmentPage(
  db: Db,
  ownerId: OwnerId,
  query: ListQuery,
  page: { readonly offset: number; readonly limit: number; readonly total: number },
): Promise<AppointmentListRow[]> {
  const limit = Math.min(page.limit, page.total - page.offset)
  if (limit <= 0) return []
  const fromEnd = page.offset > page.total / 2
  const offset = fromEnd ? page.total - page.offset - limit : page.offset
  const earliestFirst = (query.filter === 'upcoming') !== fromEnd
  const direction = earliestFirst ? 'asc' : 'desc'
  const found = await rows(matching(db.selectFrom('appointments'), query))
    .where('calendars.user_id', '=', ownerId)
    .orderBy('appointments.starts_at', direction)
    .orderBy('appointments.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  return fromEnd ? found.reverse() : found
}

/** The next appointments over all calendars of the owner that are not cancelled, earliest first. */
export async function listUpcoming(
  db: Db,
  ownerId: OwnerId,
  query: { now: Date; limit: number },
): Promise<{ total: number; appointments: AppointmentListRow[] }> {
  const ahead = db
    .selectFrom('appointments')
    .where('appointments.released_at', 'is', null)
    .where('appointments.status', '<>', 'cancelled')
    .where('appointments.ends_at', '>', query.now)
    // Nothing lasts longer than a type may: without it every past appointment would be looked at.
    .where('appointments.starts_at', '>', new Date(query.now.getTime() - LIMITS.typeDurationMax * 60_000))
    .where('appointments.calendar_id', 'in', (eb) =>
      eb.selectFrom('calendars').select('id').where('user_id', '=', ownerId),
    )
  const { count } = await ahead.select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow()
  const appointments = await rows(ahead)
    .orderBy('appointments.starts_at')
    .orderBy('appointments.id')
    .limit(query.limit)
    .execute()
  return { total: count, appointments }
}

type AppointmentsQuery = SelectQueryBuilder<Schema, 'appointments', object>

function matching(
  query: AppointmentsQuery,
  { calendarId, filter, todayStartsAt }: ListQuery,
): AppointmentsQuery {
  const ofCalendar = query
    .where('appointments.calendar_id', '=', calendarId)
    .where('appointments.released_at', 'is', null)
  if (filter === 'all') return ofCalendar
  return ofCalendar.where('appointments.starts_at', filter === 'upcoming' ? '>=' : '<', todayStartsAt)
}

function rows(query: AppointmentsQuery) {
  return query
    .innerJoin('calendars', 'calendars.id', 'appointments.calendar_id')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.calendar_id', '=', 'appointments.calendar_id')
        .onRef('customers.id', '=', 'appointments.customer_id'),
    )
    .select([
      'appointments.id',
      'appointments.calendar_id',
      'calendars.name as calendar_name',
      'calendars.timezone',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.title',
      'appointments.description',
      'appointments.status',
      'appointments.payment_status',
      'appointments.booking_reference',
      'appointments.booked_by',
      'appointments.stripe_payment_intent_id',
      'appointments.customer_name',
      'appointments.customer_phone',
      'customers.email',
      'customers.client_id',
      'appointments.appointment_type_name',
      'appointments.price_cents',
      'appointments.is_online',
      'appointments.location_name',
      'appointments.location_address',
    ])
}
