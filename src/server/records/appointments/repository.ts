import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isInCalendars, type OwnCalendars } from '#server/platform/db/in-calendars.ts'
import type { Schema, StoredMessageState } from '#server/platform/db/schema.ts'
import { HAS_DETACHED_LOCATION, LONGEST_APPOINTMENT_MS } from './taken-time-repository.ts'

/** Maximum length of a day, in milliseconds: clocks change by at most two hours. */
const DAY_MS = 26 * 60 * 60_000

export type AppointmentListRow = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

/**
 * Lists the appointments with these ids, in the order of the ids. Ids that no longer exist, belong to another owner, or
 * are holds that have ended, are left out.
 */
export async function listAppointmentsByIds(
  db: Db,
  { ownerId, calendarIds }: OwnCalendars,
  ids: readonly string[],
): Promise<AppointmentListRow[]> {
  if (ids.length === 0) return []
  const found = await rows(db.selectFrom('appointments'))
    .where('calendars.user_id', '=', ownerId)
    .where(isInCalendars(sql`appointments.calendar_id`, calendarIds))
    // Pass the ids as one array parameter, so that the statement is the same for any number of ids.
    .where('appointments.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('appointments.released_at', 'is', null)
    .execute()
  const rowOf = new Map(found.map((row) => [row.id, row]))
  return ids.flatMap((id) => rowOf.get(id) ?? [])
}

/**
 * Lists up to `limit` appointments that overlap an interval: first those that occupy their time, then cancelled ones,
 * both ordered by start.
 */
export async function listAppointmentsDuring(
  db: Db,
  { ownerId, calendarIds }: OwnCalendars,
  query: { readonly during: Interval; readonly limit: number },
): Promise<AppointmentListRow[]> {
  const { startMs, endMs } = query.during
  return (
    rows(db.selectFrom('appointments'))
      .where('calendars.user_id', '=', ownerId)
      .where(isInCalendars(sql`appointments.calendar_id`, calendarIds))
      .where('appointments.released_at', 'is', null)
      .where('appointments.starts_at', '<', new Date(endMs))
      .where('appointments.ends_at', '>', new Date(startMs))
      // Without this lower bound, the query would read every earlier appointment.
      .where('appointments.starts_at', '>', new Date(startMs - LONGEST_APPOINTMENT_MS))
      .orderBy(sql`appointments.status = 'cancelled'`)
      .orderBy('appointments.starts_at')
      .orderBy('appointments.id')
      .limit(query.limit)
      .execute()
  )
}

/** Lists the next appointments on all of the owner's calendars, earliest first. Cancelled ones are left out. */
export async function listNextAppointments(
  db: Db,
  ownerId: OwnerId,
  query: { now: Date; limit: number },
): Promise<{ total: number; appointments: AppointmentListRow[] }> {
  const ahead = db
    .selectFrom('appointments')
    .where('appointments.released_at', 'is', null)
    .where('appointments.status', '<>', 'cancelled')
    .where('appointments.ends_at', '>', query.now)
    .where('appointments.starts_at', '>', new Date(query.now.getTime() - LONGEST_APPOINTMENT_MS))
    .where('appointments.calendar_id', 'in', ofOwner(db, ownerId))
  const { count } = await ahead.select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow()
  const appointments = await rows(ahead)
    .orderBy('appointments.starts_at')
    .orderBy('appointments.id')
    .limit(query.limit)
    .execute()
  return { total: count, appointments }
}

/**
 * Lists upcoming appointments whose customer has requested a cancellation that the owner has not decided yet, earliest
 * first. Source: rule Y9.
 */
export async function listCancellationRequests(
  db: Db,
  ownerId: OwnerId,
  query: { readonly now: Date; readonly limit: number },
): Promise<{ total: number; appointments: AppointmentListRow[] }> {
  const asked = db
    .selectFrom('appointments')
    .where('appointments.status', '=', 'pending_cancellation')
    .where('appointments.released_at', 'is', null)
    .where('appointments.ends_at', '>', query.now)
    .where('appointments.starts_at', '>', new Date(query.now.getTime() - LONGEST_APPOINTMENT_MS))
    .where('appointments.calendar_id', 'in', ofOwner(db, ownerId))
  const { count } = await asked.select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow()
  const appointments = await rows(asked)
    .orderBy('appointments.starts_at')
    .orderBy('appointments.id')
    .limit(query.limit)
    .execute()
  return { total: count, appointments }
}

/**
 * Lists the appointments from today on, earliest first, including any that are still going on. Each calendar's "today"
 * is in its own time zone. Cancelled appointments and unpaid holds are left out. Source: rule Y1.
 */
export async function listAppointmentsFromToday(
  db: Db,
  ownerId: OwnerId,
  query: { readonly now: Date; readonly limit: number },
): Promise<AppointmentListRow[]> {
  const startOfToday = sql<Date>`date_trunc('day', ${query.now}::timestamptz, calendars.timezone)`
  return (
    rows(db.selectFrom('appointments'))
      .where('calendars.user_id', '=', ownerId)
      .where('appointments.calendar_id', 'in', ofOwner(db, ownerId))
      .where('appointments.released_at', 'is', null)
      .where('appointments.status', '<>', 'cancelled')
      .where(({ or, eb }) =>
        or([
          eb('appointments.status', '<>', 'pending_payment'),
          eb('appointments.hold_expires_at', 'is', null),
        ]),
      )
      .where('appointments.ends_at', '>', startOfToday)
      // This lower bound lets PostgreSQL use the index: in any zone, today began at most a day ago.
      .where('appointments.starts_at', '>', new Date(query.now.getTime() - DAY_MS - LONGEST_APPOINTMENT_MS))
      .orderBy('appointments.starts_at')
      .orderBy('appointments.id')
      .limit(query.limit)
      .execute()
  )
}

function ofOwner(db: Db, ownerId: OwnerId) {
  return db.selectFrom('calendars').select('id').where('user_id', '=', ownerId)
}

/** Lists upcoming appointments of calendars with messages that could not be delivered, earliest first. */
export async function listWithUndeliveredMessages(
  db: Db,
  scope: OwnCalendars,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<{ messages: number; appointments: AppointmentListRow[] }> {
  const concerned = db
    .selectFrom('appointment_messages as given_up')
    .innerJoin('appointments', (join) =>
      join
        .onRef('appointments.calendar_id', '=', 'given_up.calendar_id')
        .onRef('appointments.id', '=', 'given_up.appointment_id'),
    )
    .innerJoin('calendars', 'calendars.id', 'given_up.calendar_id')
    .where('calendars.user_id', '=', scope.ownerId)
    .where(isInCalendars(sql`given_up.calendar_id`, scope.calendarIds))
    .where('given_up.state', '=', 'given_up')
    .where('appointments.released_at', 'is', null)
    .where('appointments.ends_at', '>', now)
  const { messages } = await concerned
    .select(sql<number>`count(*)::integer`.as('messages'))
    .executeTakeFirstOrThrow()
  if (messages === 0) return { messages, appointments: [] }
  const ids = await concerned
    .select('appointments.id')
    .groupBy(['appointments.id', 'appointments.starts_at'])
    .orderBy('appointments.starts_at')
    .orderBy('appointments.id')
    .limit(limit)
    .execute()
  const appointments = await listAppointmentsByIds(
    db,
    scope,
    ids.map(({ id }) => id),
  )
  return { messages, appointments }
}

type StoredRefund = {
  readonly returnedCents: number
  readonly dueCents: number | null
  readonly percent: number | null
  readonly failure: string | null
  readonly isByHand: boolean
}

/** SQL for the refund of an appointment's payment. */
const refundOfPayment = sql<StoredRefund | null>`(
  select json_build_object(
    'returnedCents', refunded_cents, 'dueCents', return_cents, 'percent', return_percent,
    'failure', failure, 'isByHand', provider = 'manual'
  )
  from payment_transactions as payment
  where payment.calendar_id = appointments.calendar_id and payment.appointment_id = appointments.id
    and payment.status in ('completed', 'manual', 'refunded')
  order by payment.status = 'refunded', payment.created_at desc
  limit 1
)`

type AppointmentsQuery = SelectQueryBuilder<Schema, 'appointments', object>

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
      'calendars.color as calendar_color',
      'calendars.timezone',
      'calendars.hour_cycle',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.title',
      'appointments.typed_title',
      'appointments.description',
      'appointments.status',
      'appointments.payment_status',
      'appointments.awaits_email_code',
      'appointments.is_offer',
      'appointments.is_test',
      'appointments.series_id',
      'appointments.series_number',
      'appointments.paid_in_sandbox',
      'appointments.booking_reference',
      'appointments.booked_by',
      'appointments.stripe_payment_intent_id',
      'appointments.customer_name',
      'appointments.customer_phone',
      'customers.email',
      'appointments.customer_id',
      'customers.client_id',
      'appointments.appointment_type_name',
      'appointments.price_cents',
      'appointments.fee_note',
      'appointments.currency',
      'appointments.is_online',
      'appointments.location_name',
      'appointments.location_address',
      HAS_DETACHED_LOCATION.as('location_withdrawn'),
      'appointments.policy',
      'appointments.policy_text',
      'appointments.most_refund_share',
      'appointments.least_refund_share',
      'appointments.cancellation_asked_at',
      'appointments.no_show_at',
      refundOfPayment.as('refund'),
      (eb) => eb.fn.coalesce(colorOfType(eb), 'calendars.color').as('color'),
      (eb) => countDelays(eb).as('delays_told'),
      (eb) => latestDelay(eb).as('late_minutes'),
      sql<AppointmentRow['session']>`(
        select json_build_object(
          'id', id, 'appointment_type_id', appointment_type_id, 'seats', seats, 'seats_taken', seats_taken
        )
        from group_sessions
        where group_sessions.calendar_id = appointments.calendar_id and group_sessions.id = appointments.session_id
      )`.as('session'),
      sql<boolean>`exists (
        select from answers
        where answers.calendar_id = appointments.calendar_id and answers.appointment_id = appointments.id
      )`.as('has_answers'),
      (eb) => countMessages(eb, 'given_up').as('undelivered_messages'),
      (eb) => countMessages(eb, 'waiting').as('waiting_messages'),
    ])
}

function colorOfType(eb: ExpressionBuilder<Schema, 'appointments'>) {
  return eb
    .selectFrom('appointment_types as type')
    .select('type.color')
    .whereRef('type.calendar_id', '=', 'appointments.calendar_id')
    .whereRef('type.id', '=', 'appointments.appointment_type_id')
}

/**
 * SQL for the running-late messages about the appointment's current time. Moving an appointment gives it a new sequence
 * number, so older messages do not match.
 */
function delays(eb: ExpressionBuilder<Schema, 'appointments'>) {
  return eb
    .selectFrom('appointment_messages as message')
    .whereRef('message.calendar_id', '=', 'appointments.calendar_id')
    .whereRef('message.appointment_id', '=', 'appointments.id')
    .whereRef('message.sequence', '=', 'appointments.sequence')
    .where('message.late_minutes', 'is not', null)
}

function countDelays(eb: ExpressionBuilder<Schema, 'appointments'>) {
  return delays(eb).select(sql<number>`count(*)::integer`.as('count')).$asScalar().$notNull()
}

function latestDelay(eb: ExpressionBuilder<Schema, 'appointments'>) {
  return delays(eb).select('message.late_minutes').orderBy('message.created_at', 'desc').limit(1)
}

function countMessages(eb: ExpressionBuilder<Schema, 'appointments'>, state: StoredMessageState) {
  return eb
    .selectFrom('appointment_messages as message')
    .select(sql<number>`count(*)::integer`.as('count'))
    .whereRef('message.calendar_id', '=', 'appointments.calendar_id')
    .whereRef('message.appointment_id', '=', 'appointments.id')
    .where('message.state', '=', state)
    .$asScalar()
    .$notNull()
}
