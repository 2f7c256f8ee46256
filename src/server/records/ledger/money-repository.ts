import { sql } from 'kysely'
import type { Month } from '#core/payments/money-months.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isInOwnCalendars, type OwnCalendars } from '#server/platform/db/in-calendars.ts'

type MonthOfMoney = {
  month: string
  currency: string
  isSandbox: boolean
  takenCents: number
  refundedCents: number
}

/**
 * Sums the amounts received and refunded per month, newest first; months without either are left out. An amount counts
 * in the month when it was received or refunded. A payment that differs from what was agreed (`mismatch`) does not
 * count as received, because the owner returns it. Test payments are summed separately. Source: rules F10 and P19.
 */
export async function sumAmountsByMonth(
  db: Db,
  scope: OwnCalendars,
  months: readonly Month[],
): Promise<MonthOfMoney[]> {
  const names = months.map(({ month }) => month)
  const starts = months.map(({ startMs }) => new Date(startMs).toISOString())
  const ends = months.map(({ endMs }) => new Date(endMs).toISOString())
  const { rows } = await sql<MonthOfMoney>`
    with payments as (
      select * from payment_transactions
      where ${isInOwnCalendars(sql`calendar_id`, scope)}
        and status in ('completed', 'refund_pending', 'refunded', 'manual')
    ), moved as (
      select coalesce(completed_at, created_at) as at, currency, is_sandbox, amount_cents as taken, 0 as refunded
      from payments
      union all
      select
        coalesce(refunded_at, completed_at, created_at), currency, is_sandbox, 0,
        case when status = 'refunded' then amount_cents else refunded_cents end
      from payments where status = 'refunded' or refunded_cents > 0
    )
    select
      month, upper(currency) as currency, is_sandbox as "isSandbox",
      sum(taken)::float8 as "takenCents", sum(refunded)::float8 as "refundedCents"
    from moved
    join unnest(${names}::text[], ${starts}::timestamptz[], ${ends}::timestamptz[]) as months (month, starts_at, ends_at)
      on at >= starts_at and at < ends_at
    group by month, upper(currency), is_sandbox
    order by month desc, upper(currency), is_sandbox`.execute(db)
  return rows
}

/**
 * Sums the unpaid amounts of appointments that are not cancelled, by currency. Holds are left out, because they will be
 * paid or expire. Source: rule F11.
 */
export async function sumUnpaidAmounts(
  db: Db,
  scope: OwnCalendars,
): Promise<{ currency: string; amountCents: number }[]> {
  const { rows } = await sql<{ currency: string; amountCents: number }>`
    select upper(currency) as currency, sum(price_cents)::float8 as "amountCents"
    from appointments
    where ${isInOwnCalendars(sql`calendar_id`, scope)}
      and payment_status = 'pending' and price_cents > 0
      and status <> 'cancelled' and released_at is null
      and not (status = 'pending_payment' and hold_expires_at is not null)
    group by upper(currency)
    order by upper(currency)`.execute(db)
  return rows
}
