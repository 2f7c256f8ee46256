import type {
  UnfinishedPayment,
  UnfinishedPayments,
} from '#server/messages/emails/unfinished-payments-mail.ts'
import type { TransactionStatus } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import {
  NO_PROVIDER_RESPONSE_TEXT,
  stopRecheckingPayments,
} from '#server/records/ledger/ledger-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { UNFINISHED_PAYMENTS_MAIL_JOB } from './job-definitions.ts'
import { findCalendarWithOwner, listUnfinishedPayments } from './repository.ts'

/**
 * Queues the email that tells the owner of a calendar about its pending payments and refunds. Runs in the transaction that
 * deletes the calendar, because afterwards nobody knows who paid and where the money may be.
 */
export async function queueUnfinishedPaymentsMail(
  deps: Pick<CheckoutsDeps, 'jobs' | 'now'>,
  trx: Trx,
  calendarId: string,
): Promise<void> {
  const rows = await listUnfinishedPayments(trx, calendarId)
  const found = rows.length === 0 ? null : await findCalendarWithOwner(trx, calendarId)
  if (found === null) return
  const left: UnfinishedPayments = {
    owner: { name: found.full_name, email: found.email },
    calendar: {
      id: calendarId,
      name: found.name,
      color: found.color,
      timeZone: found.timezone,
      hourCycle: found.hour_cycle,
    },
    payments: rows.map((row) => ({
      state: STATES[row.status] ?? 'unanswered',
      provider: row.provider === 'paypal' ? 'paypal' : 'stripe',
      nameAtProvider: row.payment_id ?? row.checkout_id,
      amountCents: toAmount(row) - row.refunded_cents,
      currency: row.currency,
      isSandbox: row.is_sandbox,
      reason: row.failure === NO_PROVIDER_RESPONSE_TEXT ? null : row.failure,
      appointment: toAppointment(row),
    })),
  }
  await deps.jobs.insert(trx, UNFINISHED_PAYMENTS_MAIL_JOB, [left])
  await stopRecheckingPayments(trx, calendarId, new Date(deps.now()))
}

/**
 * The states that are shown for each status. Payments with any other status are those about which the provider has not
 * responded.
 */
const STATES: Partial<Record<TransactionStatus, UnfinishedPayment['state']>> = {
  refund_pending: 'owed',
  completed: 'cancelled',
}

/** Returns the amount of a payment; for a cancelled appointment, only the amount of its refund. */
function toAmount({ status, amount_cents, return_cents }: Row): number {
  return status === 'completed' ? (return_cents ?? 0) : amount_cents
}

type Row = Awaited<ReturnType<typeof listUnfinishedPayments>>[number]

function toAppointment(row: Row): UnfinishedPayments['payments'][number]['appointment'] {
  const { customer_name, booking_reference, starts_at, ends_at } = row
  // If the appointment was deleted, all of these columns are null.
  if (customer_name === null || booking_reference === null || starts_at === null || ends_at === null)
    return null
  return {
    customerName: customer_name,
    customerEmail: row.email,
    bookingReference: booking_reference,
    startsAt: starts_at.toISOString(),
    endsAt: ends_at.toISOString(),
  }
}
