import type {
  PaymentsOverview,
  TransactionRow,
  TransactionsResponse,
} from '#contract/payments/transactions.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { listLastMonths } from '#core/payments/money-months.ts'
import { localDateOf, localTimeOf } from '#core/shared/zoned-time.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { type CalendarsDeps, getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { sumAmountsByMonth, sumUnpaidAmounts } from './money-repository.ts'
import { findTransactionsPage, type TransactionListRow } from './repository.ts'

export type TransactionsDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl'>

/** Number of months that the overview covers. */
const MONTHS = 12

/**
 * Returns one page of a calendar's payments, newest first, with the exact total. Source: rule F9.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function listTransactions(
  deps: TransactionsDeps,
  ownerId: OwnerId,
  { calendarId, page }: { readonly calendarId: string; readonly page: number },
): Promise<TransactionsResponse> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const scope = { ownerId, calendarId }
  const { total, rows } = await findTransactionsPage(deps.db, scope, { number: page, size: LIMITS.pageSize })
  return { transactions: rows.map(toTransaction), total }
}

/**
 * Returns the amounts received, refunded and outstanding on a calendar, by month in the calendar's time zone. Source:
 * rule F10.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getMoneyOverview(
  deps: TransactionsDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<PaymentsOverview> {
  const { timezone } = await getOwnCalendar(deps, ownerId, calendarId)
  const scope = { ownerId, calendarIds: [calendarId] }
  const months = await sumAmountsByMonth(deps.db, scope, listLastMonths(deps.now(), timezone, MONTHS))
  const outstanding = await sumUnpaidAmounts(deps.db, scope)
  return {
    months: months.map(({ month, currency, isSandbox, takenCents, refundedCents }) => ({
      month,
      currency,
      sandbox: isSandbox,
      taken: takenCents / 100,
      refunded: refundedCents / 100,
    })),
    outstanding: outstanding.map(({ currency, amountCents }) => ({ currency, amount: amountCents / 100 })),
  }
}

function toTransaction(row: TransactionListRow): TransactionRow {
  return {
    id: row.id,
    calendar_id: row.calendar_id,
    appointment_id: row.appointment_id,
    created_at: row.created_at.toISOString(),
    amount: row.amount_cents / 100,
    refunded_amount: (row.status === 'refunded' ? row.amount_cents : row.refunded_cents) / 100,
    return_amount: row.return_cents === null ? null : row.return_cents / 100,
    return_percent: row.return_percent,
    currency: row.currency.toUpperCase(),
    provider: row.provider,
    // Show an abandoned checkout as unanswered: it has not failed, and the provider will be asked once more. Source:
    // rule Y10.
    status: row.status === 'failed' && row.abandoned ? 'unanswered' : row.status,
    payment_id: row.payment_id,
    failure: row.failure,
    sandbox: row.is_sandbox,
    returned_by_hand: row.status === 'refunded' && row.refund_reason === 'by_hand',
    appointment: toPaidAppointment(row),
  }
}

/**
 * Returns the appointment of a payment. Its times are in the calendar's current zone, even if the zone was different
 * when the appointment was booked.
 */
function toPaidAppointment(row: TransactionListRow): TransactionRow['appointment'] {
  const { starts_at, ends_at, title, booking_reference, customer_id, customer_name, client_id } = row
  // If the appointment was deleted, all of these columns are null.
  if (starts_at === null || ends_at === null || title === null || booking_reference === null) return null
  if (customer_id === null || customer_name === null || client_id === null) return null
  return {
    date: localDateOf(starts_at.getTime(), row.timezone),
    start_time: localTimeOf(starts_at.getTime(), row.timezone),
    end_time: localTimeOf(ends_at.getTime(), row.timezone),
    starts_at: starts_at.toISOString(),
    time_zone: row.timezone,
    hour_cycle: row.hour_cycle,
    title,
    booking_reference,
    customer_id,
    customer: { name: customer_name, email: row.email, phone: row.customer_phone, client_id },
  }
}
