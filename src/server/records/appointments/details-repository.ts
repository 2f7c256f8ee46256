import { sql } from 'kysely'
import type { LinkedAppointment } from '#core/appointments/manage-link.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import { prepareQuery } from '#server/platform/db/prepared-statement.ts'
import { VERIFIED_HOST_SQL } from '#server/records/hostnames/repository.ts'
import type { Appointment } from './appointment.ts'

/**
 * SQL for the name of a calendar's primary location, for use in a query of `calendars`. It is a subquery and not a
 * join, because for a join PostgreSQL would read all locations when there are few.
 */
export const PRIMARY_LOCATION_NAME_SQL = sql<string | null>`(
  select name from locations
  where id = (select location_id from calendar_locations where calendar_id = calendars.id and is_primary)
)`

/** SQL for the time zones of all calendars of the calendar's owner, for use in a query of `calendars`. */
const OWNER_ZONES = sql<string[]>`array(
  select distinct own.timezone from calendars own where own.user_id = calendars.user_id
)`

/** Returns one appointment with its calendar, owner and customer, for the public page and for emails. */
export async function findAppointmentDetails(db: Db, id: string): Promise<Appointment | null> {
  const [row] = await selectDetails(db, { id })
  return row ?? null
}

const selectDetails = prepareQuery((db, { id }: { id: string }) =>
  appointmentDetails(db).where('appointments.id', '=', id).where('appointments.released_at', 'is', null),
)

/** Returns one appointment, even if it is an expired hold. Needed when a customer paid too late. */
export async function findDetailsIncludingEndedHolds(db: Db, id: string): Promise<Appointment | null> {
  return (await appointmentDetails(db).where('appointments.id', '=', id).executeTakeFirst()) ?? null
}

/** Returns the facts that decide whether a signed link, or the bare appointment id, still opens an appointment. */
export function toLinkedAppointment(row: Appointment): LinkedAppointment {
  return {
    endsAtMs: row.ends_at.getTime(),
    rotation: row.link_rotation,
    isReleased: row.released_at !== null,
    isErased: row.customer_erased_at !== null,
  }
}

/** Lists up to `limit` future appointments of a calendar after the appointment `after`, the nearest first. */
export async function listFutureAppointmentDetails(
  db: Db,
  calendarId: string,
  query: { now: Date; after: { id: string; starts_at: Date } | undefined; limit: number },
): Promise<Appointment[]> {
  const { now, after, limit } = query
  const future = appointmentDetails(db)
    .where('appointments.calendar_id', '=', calendarId)
    .where(isFutureAppointment(now))
  const following =
    after === undefined
      ? future
      : future.where((eb) =>
          eb(
            eb.refTuple('appointments.starts_at', 'appointments.id'),
            '>',
            eb.tuple(after.starts_at, after.id),
          ),
        )
  return following.orderBy('appointments.starts_at').orderBy('appointments.id').limit(limit).execute()
}

/** Lists up to `limit` appointments of a customer on a calendar, the latest first. Expired holds are left out. */
export function listDetailsOfCustomer(
  db: Db,
  { calendarId, customerId }: { readonly calendarId: string; readonly customerId: string },
  limit: number,
): Promise<Appointment[]> {
  return (
    appointmentDetails(db)
      .where('appointments.calendar_id', '=', calendarId)
      .where('appointments.customer_id', '=', customerId)
      // Leave out a time that was only offered: it is not yet anybody's appointment.
      .where('appointments.is_offer', '=', false)
      .where('appointments.released_at', 'is', null)
      .orderBy('appointments.starts_at', 'desc')
      .orderBy('appointments.id')
      .limit(limit)
      .execute()
  )
}

/** Lists appointments of a calendar by their ids, earliest first. Expired holds are left out. */
export function listDetailsByIds(db: Db, calendarId: string, ids: readonly string[]): Promise<Appointment[]> {
  return appointmentDetails(db)
    .where('appointments.calendar_id', '=', calendarId)
    .where('appointments.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('appointments.released_at', 'is', null)
    .orderBy('appointments.starts_at')
    .execute()
}

/** A calendar, and the time range in which the wanted appointments start. */
export type AppointmentRange = { readonly calendarId: string; readonly from: Date; readonly until: Date }

function listed(db: Db, { calendarId, from, until }: AppointmentRange) {
  return selectAppointments(db)
    .where('appointments.calendar_id', '=', calendarId)
    .where('appointments.starts_at', '>=', from)
    .where('appointments.starts_at', '<', until)
    .where('appointments.released_at', 'is', null)
    .where('appointments.status', '<>', 'cancelled')
    .where(({ or, eb }) =>
      or([
        eb('appointments.status', '<>', 'pending_payment'),
        eb('appointments.hold_expires_at', 'is', null),
      ]),
    )
}

/**
 * Lists up to `limit` appointments that start in the range, in order, each with the number of seats of its session. Cancelled
 * appointments and holds are left out.
 */
export function listDetailsInRange(
  db: Db,
  stretch: AppointmentRange,
  limit: number,
): Promise<(Appointment & { readonly session_seats: number | null })[]> {
  return withSurroundings(listed(db, stretch))
    .select(({ selectFrom }) =>
      selectFrom('group_sessions')
        .select('seats')
        .whereRef('group_sessions.calendar_id', '=', 'appointments.calendar_id')
        .whereRef('group_sessions.id', '=', 'appointments.session_id')
        .as('session_seats'),
    )
    .orderBy('appointments.starts_at')
    .orderBy('appointments.id')
    .limit(limit)
    .execute()
}

/** Returns numbers and a timestamp that change whenever an appointment or session in the range changes (for an ETag). */
export async function findAppointmentRangeVersion(
  db: Db,
  stretch: AppointmentRange,
): Promise<{ readonly count: string; readonly changedAt: Date | null; readonly seats: string | null }> {
  return listed(db, stretch)
    .select(({ fn, selectFrom }) => [
      fn.countAll<string>().as('count'),
      selectFrom('group_sessions')
        .select((session) => session.fn.sum<string>('seats').as('seats'))
        .where('calendar_id', '=', stretch.calendarId)
        .where('starts_at', '>=', stretch.from)
        .where('starts_at', '<', stretch.until)
        .where('seats_taken', '>', 0)
        .as('seats'),
      fn.max<Date | null>('appointments.updated_at').as('changedAt'),
    ])
    .executeTakeFirstOrThrow()
}

/** A query whose rows have the columns of the table `appointments`. */
type Appointments = ReturnType<typeof selectAppointments>

function selectAppointments(db: Db) {
  return db.selectFrom('appointments')
}

function appointmentDetails(db: Db) {
  return withSurroundings(selectAppointments(db))
}

/** Joins each appointment with its calendar, the calendar's owner and the customer. */
function withSurroundings(appointments: Appointments) {
  return appointments
    .innerJoin('calendars', 'calendars.id', 'appointments.calendar_id')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.calendar_id', '=', 'appointments.calendar_id')
        .onRef('customers.id', '=', 'appointments.customer_id'),
    )
    .select([
      'appointments.id',
      'appointments.calendar_id',
      'appointments.booking_reference',
      'appointments.status',
      'appointments.payment_status',
      'appointments.paid_in_sandbox',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.time_zone',
      'appointments.customer_time_zone',
      'appointments.customer_id',
      'appointments.customer_name',
      'appointments.customer_phone',
      'appointments.link_rotation',
      'appointments.appointment_type_id',
      'appointments.hold_expires_at',
      'appointments.awaits_email_code',
      'appointments.released_at',
      'appointments.title',
      'appointments.description',
      'appointments.appointment_type_name',
      'appointments.price_cents',
      'appointments.fee_note',
      'appointments.currency',
      'appointments.is_online',
      'appointments.location_name',
      'appointments.location_address',
      'appointments.sequence',
      'appointments.booked_by',
      'appointments.needs_google_sync',
      'appointments.moved_at',
      'appointments.moved_from',
      'appointments.policy',
      'appointments.policy_text',
      'appointments.series_id',
      'appointments.session_id',
      'appointments.most_refund_share',
      'appointments.least_refund_share',
      'appointments.refund_due_cents',
      'appointments.refund_percent',
      'appointments.cancelled_by',
      'appointments.created_at',
      'appointments.updated_at',
      'calendars.slug',
      'calendars.name as calendar_name',
      'calendars.hour_cycle',
      'calendars.default_appointment_title',
      'calendars.appointment_title_required',
      'calendars.color',
      'calendars.category',
      'calendars.professional_first_name',
      'calendars.professional_last_name',
      'calendars.domain_settings',
      'calendars.reminder_settings',
      VERIFIED_HOST_SQL.as('live_host'),
      OWNER_ZONES.as('owner_zones'),
      'profiles.full_name as owner_name',
      'profiles.email as owner_email',
      'profiles.notify_bookings',
      'profiles.notify_cancellation_requests',
      'profiles.notify_cancellations',
      'customers.email as customer_email',
      'customers.erased_at as customer_erased_at',
      PRIMARY_LOCATION_NAME_SQL.as('calendar_location'),
    ])
}
