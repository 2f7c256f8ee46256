import type { CustomerExport } from '#contract/customers/customer-records.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { eraseWaitingEntries, exportWaitingEntries } from '#server/areas/waiting-list/customer-use-cases.ts'
import { dropUnsentMessagesToCustomer } from '#server/messages/queue/customer-repository.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import {
  type CustomerKey,
  eraseCustomerRecord,
  findCustomerRecord,
  hasUpcomingAppointments,
  lockCustomerRecord,
} from '#server/records/appointments/customer-record-repository.ts'
import { listDetailsOfCustomer } from '#server/records/appointments/details-repository.ts'
import { toPublicAppointment } from '#server/records/appointments/to-public-appointment.ts'
import type { AddressSettings } from '#server/records/hostnames/to-calendar-address.ts'
import { deleteAnswersOfCustomer, type ListedAppointments } from '#server/records/questions/repository.ts'
import type { listAnswersForCustomer } from '#server/records/questions/use-cases.ts'
import { listMessagesToCustomer, listPaymentsOfCustomer } from './repository.ts'

type CustomerRecordsDeps = AddressSettings & {
  readonly db: Db
  readonly jobs: Pick<JobQueue, 'insert'>
}

/** Maximum number of appointments in an export; it limits the query. Nobody books more in a lifetime. */
const EXPORTED_AT_MOST = 5_000

/**
 * Exports all data that a calendar stores about one customer, for the customer or the owner. The caller has checked the
 * permission, and loads the answers that this reader may see. Source: rule R10.
 * @throws ProblemError `customer.not_found`
 */
export async function exportCustomer(
  deps: CustomerRecordsDeps,
  key: CustomerKey,
  loadAnswers: (of: ListedAppointments) => ReturnType<typeof listAnswersForCustomer>,
): Promise<CustomerExport> {
  const { db, now } = deps
  const record = await findCustomerRecord(db, key)
  const appointments = await listDetailsOfCustomer(db, key, EXPORTED_AT_MOST)
  const [latest] = appointments
  if (record === null || latest === undefined) throw new ProblemError('customer.not_found')
  const answers = await loadAnswers({
    calendarIds: [key.calendarId],
    ids: appointments.map(({ id }) => id),
  })
  const messages = Map.groupBy(await listMessagesToCustomer(db, key), (message) => message.appointment_id)
  const payments = Map.groupBy(await listPaymentsOfCustomer(db, key), (payment) => payment.appointment_id)
  return {
    exported_at: new Date(now()).toISOString(),
    calendar: {
      name: latest.calendar_name,
      booking_link: toPublicAppointment(latest, deps).public_url,
    },
    customer: {
      client_id: record.client_id,
      name: record.name,
      email: record.email,
      phone: record.phone,
      created_at: record.created_at.toISOString(),
    },
    waiting_list:
      record.email === null
        ? []
        : await exportWaitingEntries(db, { calendarId: key.calendarId, email: record.email }),
    appointments: appointments.map((details) => ({
      ...toExported(details),
      answers: (answers.get(details.id) ?? []).map(({ label, is_private, value }) => ({
        label,
        is_private,
        value,
      })),
      messages: (messages.get(details.id) ?? []).map(({ kind, state, sent_at }) => ({
        kind,
        state,
        sent_at: sent_at?.toISOString() ?? null,
      })),
      payments: (payments.get(details.id) ?? []).map((payment) => ({
        amount: payment.amount_cents / 100,
        refunded: payment.refunded_cents / 100,
        currency: payment.currency,
        provider: payment.provider,
        status: payment.status,
        created_at: payment.created_at.toISOString(),
      })),
    })),
  }
}

function toExported(details: Appointment) {
  return {
    id: details.id,
    booking_reference: details.booking_reference,
    status: details.status,
    payment_status: details.payment_status,
    starts_at: details.starts_at.toISOString(),
    ends_at: details.ends_at.toISOString(),
    time_zone: details.time_zone,
    name: details.customer_name,
    phone: details.customer_phone,
    own_time_zone: details.customer_time_zone,
    title: details.title,
    notes: details.description,
    service: details.appointment_type_name,
    price: details.price_cents === null ? null : details.price_cents / 100,
    fee_note: details.fee_note,
    currency: details.currency,
    is_online: details.is_online,
    location_name: details.location_name,
    location_address: details.location_address,
    booked_by: details.booked_by,
    created_at: details.created_at.toISOString(),
    updated_at: details.updated_at.toISOString(),
  }
}

/**
 * Erases the personal data of one customer. Refuses to do so while the customer has future appointments, which must be
 * cancelled first. Idempotent. The caller has checked the permission. Source: rule R11.
 * @throws ProblemError `customer.not_found`, `customer.appointments_ahead`
 */
export async function eraseCustomer(
  deps: Pick<CustomerRecordsDeps, 'db' | 'now' | 'jobs'>,
  key: CustomerKey,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    // The calendar's lock keeps this customer from booking in the meantime.
    await lockBookableCalendar(trx, key.calendarId)
    const record = await lockCustomerRecord(trx, key)
    if (record === null) throw new ProblemError('customer.not_found')
    if (record.erased_at !== null) return
    const erasedAt = new Date(deps.now())
    const { email } = record
    // Erase the waiting-list entries before checking for future appointments, because an open offer holds an
    // appointment for the customer.
    if (email !== null) await eraseWaitingEntries(deps, trx, { calendarId: key.calendarId, email })
    if (await hasUpcomingAppointments(trx, key, erasedAt))
      throw new ProblemError('customer.appointments_ahead')
    await dropUnsentMessagesToCustomer(trx, key, erasedAt)
    await deleteAnswersOfCustomer(trx, key)
    await eraseCustomerRecord(trx, key, erasedAt)
  })
}
