import { type Insertable, sql } from 'kysely'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import type { Policy } from '#core/appointments/policy.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { type OwnersWork, toOccupiedTime } from '#core/slots/occupied-time.ts'
import { prepareQuery } from '#server/platform/db/prepared-statement.ts'
import type { AppointmentStatus, PaymentStatus, Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { InsertedAppointment } from './appointment.ts'
import { hasWrittenEventSql, writesToExternalCalendarSql } from './outbox-repository.ts'

export type NewAppointment = OwnersWork & {
  readonly id: string
  readonly calendar_id: string
  /** The id of the person whose time the appointment occupies. */
  readonly host_id: string
  readonly booking_reference: string
  readonly customer: BookingCustomer
  readonly customer_time_zone: string | null
  /** The session in which the appointment takes a seat, if any. It has the same start and end. */
  readonly session_id: string | null
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly bufferMinutes: number
  readonly time_zone: string
  readonly title: string
  /** The title that the owner entered, if any. Source: rule Y11. */
  readonly typed_title: string | null
  readonly description: string | null
  /** The booked appointment type. The appointment keeps this name, price and fee note when the type changes later. */
  readonly type: {
    readonly id: string
    readonly name: string
    readonly price_cents: number | null
    readonly fee_note: string | null
    readonly is_online: boolean
  } | null
  /** The location of the appointment. The appointment keeps this name and address when the location changes later. */
  readonly location: { readonly id: string; readonly name: string; readonly address: string | null } | null
  readonly conflict_location_id: string | null
  readonly status: AppointmentStatus
  readonly payment_status: PaymentStatus
  readonly hold_expires_at: Date | null
  readonly awaits_email_code: boolean
  /** True when the time is on hold because it was offered to a customer on the waiting list. Source: rule Z2. */
  readonly is_offer: boolean
  /** True when the owner tries a booking out. Source: rule U34. */
  readonly is_test: boolean
  /** The series that it belongs to, and its place in it; null for a single appointment. Source: rule B38. */
  readonly series: { readonly id: string; readonly number: number } | null
  readonly booked_by: 'customer' | 'owner'
  /**
   * The policy at the time of booking. The appointment keeps it even when the policy of its calendar changes. Source:
   * rule Q7.
   */
  readonly policy: Policy
  readonly created_at: Date
}

/**
 * The customer of the appointment. An existing customer record is left unchanged: a booking never overwrites what the
 * owner has stored. Source: rule B13.
 */
export type BookingCustomer = {
  /** The id of a customer who was identified otherwise than by email address; null for any other customer. */
  readonly knownId: string | null
  /** The id to use if the customer is new. */
  readonly newId: string
  readonly client_id: string
  readonly name: string
  /** The customer's email address; null only when the owner books for a customer who gave none. */
  readonly email: string | null
  readonly phone: string | null
}

/**
 * Finds or inserts the customer, and inserts the appointment. If the time is already booked, the exclusion constraints
 * reject the row (SQLSTATE 23P01). The caller holds the calendar's lock, so no concurrent booking inserts the same
 * customer.
 */
export async function insertAppointment(trx: Trx, appointment: NewAppointment): Promise<InsertedAppointment> {
  const { customer } = appointment
  const row = toRow(appointment)
  const [stored] = await insertRows(trx, {
    ...row,
    known_customer_id: customer.knownId,
    new_customer_id: customer.newId,
    client_id: customer.client_id,
    email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    typed_title: appointment.typed_title,
    location_id: appointment.location?.id ?? null,
    conflict_location_id: appointment.conflict_location_id,
    host_id: appointment.host_id,
    session_id: appointment.session_id,
    blocked: toBlocked(appointment),
    prepare_minutes: appointment.prepareMinutes,
    wrap_up_minutes: appointment.wrapUpMinutes,
    is_offer: appointment.is_offer,
    is_test: appointment.is_test,
    series_number: appointment.series?.number ?? null,
    policy: JSON.stringify(appointment.policy),
    updated_at: appointment.created_at,
  })
  if (stored === undefined) throw new Error('an appointment has a customer')
  return { ...row, ...stored, released_at: null }
}

/** Returns the time that the appointment blocks, with its preparation, its wrap-up and the buffer. Source: rule T47. */
function toBlocked({ startsAtMs, endsAtMs, bufferMinutes, ...work }: NewAppointment): string {
  const { startMs, endMs } = toOccupiedTime({ startMs: startsAtMs, endMs: endsAtMs }, work)
  return `[${new Date(startMs).toISOString()},${new Date(endMs + bufferMinutes * MINUTE_MS).toISOString()})`
}

/** Returns the columns whose values are known before the insert. */
function toRow(
  appointment: NewAppointment,
): Omit<InsertedAppointment, 'customer_email' | 'needs_google_sync' | 'released_at'> {
  const { type, location, policy } = appointment
  return {
    id: appointment.id,
    calendar_id: appointment.calendar_id,
    booking_reference: appointment.booking_reference,
    status: appointment.status,
    payment_status: appointment.payment_status,
    paid_in_sandbox: false,
    starts_at: new Date(appointment.startsAtMs),
    ends_at: new Date(appointment.endsAtMs),
    time_zone: appointment.time_zone,
    customer_time_zone: appointment.customer_time_zone,
    link_rotation: 0,
    appointment_type_id: type?.id ?? null,
    appointment_type_name: type?.name ?? null,
    price_cents: type?.price_cents ?? null,
    fee_note: type?.fee_note ?? null,
    policy,
    policy_text: describePolicy(policy, { hasPrice: (type?.price_cents ?? 0) > 0 }),
    hold_expires_at: appointment.hold_expires_at,
    awaits_email_code: appointment.awaits_email_code,
    title: appointment.title,
    description: appointment.description,
    is_online: type?.is_online ?? false,
    location_name: location?.name ?? null,
    location_address: location?.address ?? null,
    series_id: appointment.series?.id ?? null,
    sequence: 0,
    moved_from: null,
    booked_by: appointment.booked_by,
    created_at: appointment.created_at,
  }
}

type NewRows = Omit<Insertable<Schema['appointments']>, 'customer_id'> & {
  readonly known_customer_id: string | null
  readonly new_customer_id: string
  readonly client_id: string
  readonly email: string | null
}

/**
 * Statement that inserts the rows. It returns only the values that the database determines: the customer's stored email
 * address, and whether the appointment's calendar event has to be written.
 */
const insertRows = prepareQuery((db, rows: NewRows) => {
  const { known_customer_id, new_customer_id, client_id, email, ...row } = rows
  const { calendar_id, customer_name, customer_phone } = row
  return (
    db
      .with('found', (cte) =>
        cte
          .selectFrom('customers')
          .select(['id', 'email'])
          .where('calendar_id', '=', calendar_id)
          .where(
            'id',
            '=',
            sql<string>`coalesce(${known_customer_id}::uuid, (
              select id from customers where calendar_id = ${calendar_id} and lower(btrim(email)) = lower(btrim(${email}))
            ))`,
          ),
      )
      .with('made', (cte) =>
        cte
          .insertInto('customers')
          .columns(['calendar_id', 'id', 'client_id', 'name', 'email', 'phone'])
          .expression(
            cte
              .selectNoFrom([
                sql<string>`${calendar_id}::uuid`.as('calendar_id'),
                sql<string>`${new_customer_id}::uuid`.as('id'),
                sql<string>`${client_id}::text`.as('client_id'),
                sql<string>`${customer_name}::text`.as('name'),
                sql<string | null>`${email}::text`.as('email'),
                sql<string | null>`${customer_phone}::text`.as('phone'),
              ])
              .where(({ not, exists, selectFrom }) => not(exists(selectFrom('found').select('id')))),
          )
          .returning(['id', 'email']),
      )
      // This CTE replaces the table `customers` in the rest of the statement, because a statement does not see the rows
      // that it inserts.
      .with('customers', (cte) =>
        cte
          .selectFrom('found')
          .select(['id', 'email'])
          .unionAll(cte.selectFrom('made').select(['id', 'email'])),
      )
      .with('inserted', (cte) =>
        cte
          .insertInto('appointments')
          .values(({ selectFrom }) => ({
            ...row,
            // A hold gets its event only when it is confirmed; a test gets none. Source: rules G9 and U34.
            needs_google_sync: sql<boolean>`${row.hold_expires_at}::timestamptz is null
              and not ${row.is_test}::boolean
              and (${writesToExternalCalendarSql(sql`${calendar_id}`)} or ${hasWrittenEventSql(
                sql`written.calendar_id = ${calendar_id} and written.session_id = ${row.session_id}`,
              )})`,
            customer_id: selectFrom('customers').select('id'),
          }))
          .returning('needs_google_sync'),
      )
      .selectFrom(['inserted', 'customers'])
      .select(['needs_google_sync', 'customers.email as customer_email'])
  )
})
