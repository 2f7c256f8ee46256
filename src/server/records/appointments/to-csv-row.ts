import { CSV_BOM, toCsvRecord } from '#core/shared/csv.ts'
import { toDecimalAmount } from '#core/shared/decimal-amount.ts'
import type { OwnAnswer } from '#server/records/questions/use-cases.ts'
import type { AppointmentListRow } from './repository.ts'
import { toAppointmentRow } from './to-appointment-row.ts'

/**
 * The columns of the export, named as in the database: first local times in the calendar's zone, then instants. Source:
 * rule V9.
 */
const COLUMNS = [
  'date',
  'start_time',
  'end_time',
  'time_zone',
  'starts_at',
  'ends_at',
  'status',
  'payment_status',
  'booking_reference',
  'title',
  'description',
  'customer_name',
  'customer_email',
  'customer_phone',
  'client_id',
  'appointment_type_name',
  'is_online',
  'price',
  'currency',
  'refunded',
  'no_show',
  'location_name',
  'location_address',
  'stripe_payment_intent_id',
  'paid_in_sandbox',
  'answers',
] as const

/** Returns the first line of the CSV file. A file over several calendars begins with the name of the calendar. */
export function toCsvHeader(hasSeveral: boolean): string {
  return CSV_BOM + toCsvRecord(hasSeveral ? ['calendar_name', ...COLUMNS] : COLUMNS)
}

/** Returns one appointment as a line of the CSV file. */
export function toCsvRow(
  stored: AppointmentListRow,
  { answers, hasSeveral }: { readonly answers: readonly OwnAnswer[]; readonly hasSeveral: boolean },
): string {
  const row = toAppointmentRow(stored)
  const values: Record<(typeof COLUMNS)[number], string | number | boolean | null> = {
    date: row.date,
    start_time: row.start_time,
    end_time: row.end_time,
    time_zone: row.time_zone,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    status: row.status,
    payment_status: row.payment_status,
    booking_reference: row.booking_reference,
    title: row.title,
    description: row.description,
    customer_name: row.customers.name,
    customer_email: row.customers.email,
    customer_phone: row.customers.phone,
    client_id: row.customers.client_id,
    appointment_type_name: stored.appointment_type_name,
    is_online: stored.is_online,
    price: stored.price_cents === null ? null : toDecimalAmount(stored.price_cents),
    currency: stored.currency,
    refunded: stored.refund === null ? null : toDecimalAmount(stored.refund.returnedCents),
    no_show: row.no_show,
    location_name: stored.location_name,
    location_address: stored.location_address,
    stripe_payment_intent_id: row.stripe_payment_intent_id,
    paid_in_sandbox: row.paid_in_sandbox,
    answers: answers.map(({ label, value }) => `${label}: ${value.join('; ')}`).join('\n') || null,
  }
  const fields = COLUMNS.map((column) => values[column])
  return toCsvRecord(hasSeveral ? [row.calendar_name, ...fields] : fields)
}
