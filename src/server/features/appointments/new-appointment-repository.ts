import { type Insertable, sql } from 'kysely'
import { describePolicy } from '#core/policy/describe-policy.ts'
import type { Policy } from '#core/policy/policy.ts'
import { prepareQuery } from '#server/platform/db/prepared-statement.ts'
import type { AppointmentStatus, PaymentStatus, Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { type AppointmentDetails, type Appointments, withSurroundings } from './details-repository.ts'
import { isCalendarWritten } from './outbox-repository.ts'

export type NewAppointment = {
  readonly id: string
  readonly calendarId: string
  readonly bookingReference: string
  readonly customer: BookingCustomer
  readonly customerTimeZone: string | null
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly bufferMinutes: number
  readonly timeZone: string
  readonly title: string
  /** What somebody wrote into it. Source: rule Y11. */
  readonly typedTitle: string | null
  readonly description: string | null
  /** What it was booked as. It keeps the name and the price when its type changes. */
  readonly type: {
    readonly id: string
    readonly name: string
    readonly priceCents: number | null
    readonly isOnline: boolean
  } | null
  /** Where it takes place; it keeps the name and the address. */
  readonly location: { readonly id: string; readonly name: string; readonly address: string | null } | null
  readonly conflictLocationId: string | null
  readonly status: AppointmentStatus
  readonly paymentStatus: PaymentStatus
  readonly holdExpiresAt: Date | null
  readonly awaitsEmailCode: boolean
  /** Its time is held because it was offered to somebody on the waiting list. Source: rule Z2. */
  readonly isOffer: boolean
  readonly bookedBy: 'customer' | 'owner'
  /** It keeps it, whatever becomes of that of its calendar or type. Source: rule Q7. */
  readonly policy: Policy
  readonly createdAt: Date
}

/**
 * The customer of the appointment. A known customer's record stays as it is: a booking never changes what the owner
 * knows. Source: rule B13.
 */
export type BookingCustomer = {
  /** Of one who was found by other things than the address. */
  readonly knownId: string | null
  /** For a customer who is new. */
  readonly newId: string
  readonly clientId: string
  readonly name: string
  /** Null only when the owner books for somebody who gave none. */
  readonly email: string | null
  readonly phone: string | null
}

/**
 * Finds or inserts the customer, inserts the appointment, and reads it with what is around it; the exclusion constraints refuse
 * a time that is taken (SQLSTATE 23P01). Under the calendar's lock nobody else makes the same customer.
 */
export async function insertAppointment(trx: Trx, appointment: NewAppointment): Promise<AppointmentDetails> {
  const { customer } = appointment
  const startsAt = new Date(appointment.startsAtMs)
  const endsAt = new Date(appointment.endsAtMs)
  const blockedUntil = new Date(appointment.endsAtMs + appointment.bufferMinutes * 60_000)
  const [details] = await insertRows(trx, {
    known_customer_id: customer.knownId,
    new_customer_id: customer.newId,
    client_id: customer.clientId,
    email: customer.email,
    calendar_id: appointment.calendarId,
    id: appointment.id,
    booking_reference: appointment.bookingReference,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_time_zone: appointment.customerTimeZone,
    starts_at: startsAt,
    ends_at: endsAt,
    time_zone: appointment.timeZone,
    blocked_until: blockedUntil,
    title: appointment.title,
    typed_title: appointment.typedTitle,
    description: appointment.description,
    appointment_type_id: appointment.type?.id ?? null,
    appointment_type_name: appointment.type?.name ?? null,
    price_cents: appointment.type?.priceCents ?? null,
    is_online: appointment.type?.isOnline ?? false,
    location_id: appointment.location?.id ?? null,
    location_name: appointment.location?.name ?? null,
    location_address: appointment.location?.address ?? null,
    conflict_location_id: appointment.conflictLocationId,
    status: appointment.status,
    payment_status: appointment.paymentStatus,
    hold_expires_at: appointment.holdExpiresAt,
    awaits_email_code: appointment.awaitsEmailCode,
    is_offer: appointment.isOffer,
    booked_by: appointment.bookedBy,
    policy: JSON.stringify(appointment.policy),
    policy_text: describePolicy(appointment.policy, { hasPrice: (appointment.type?.priceCents ?? 0) > 0 }),
    created_at: appointment.createdAt,
    updated_at: appointment.createdAt,
  })
  if (details === undefined) throw new Error('an appointment has a calendar, an owner and a customer')
  return details
}

type NewRows = Omit<Insertable<Schema['appointments']>, 'blocked' | 'customer_id'> & {
  readonly blocked_until: Date
  readonly known_customer_id: string | null
  readonly new_customer_id: string
  readonly client_id: string
  readonly email: string | null
}

const insertRows = prepareQuery((db, rows: NewRows) => {
  const { blocked_until, known_customer_id, new_customer_id, client_id, email, ...row } = rows
  const { calendar_id, customer_name, customer_phone } = row
  const blocked = sql<string>`tstzrange(${row.starts_at}, ${blocked_until})`
  const inserted = db
    .with('found', (cte) =>
      cte
        .selectFrom('customers')
        .select(['calendar_id', 'id', 'email', 'erased_at'])
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
        .returning(['calendar_id', 'id', 'email', 'erased_at']),
    )
    // From here on it stands for the table: what a statement inserts it does not see there.
    .with('customers', (cte) =>
      cte
        .selectFrom('found')
        .select(['calendar_id', 'id', 'email', 'erased_at'])
        .unionAll(cte.selectFrom('made').select(['calendar_id', 'id', 'email', 'erased_at'])),
    )
    .with('inserted', (cte) =>
      cte
        .insertInto('appointments')
        .values(({ selectFrom }) => ({
          ...row,
          // A hold is written once it counts. Source: rule G9.
          needs_google_sync: sql<boolean>`${row.hold_expires_at}::timestamptz is null
            and ${isCalendarWritten(sql`${calendar_id}`)}`,
          customer_id: selectFrom('customers').select('id'),
          blocked,
        }))
        .returningAll(),
    )
    .selectFrom('inserted as appointments')
  // They have the columns of the tables by the tables' names.
  return withSurroundings(inserted as unknown as Appointments)
})
