import { sql } from 'kysely'
import { type PageQuery, toPageQuery } from '#core/shared/list-range.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'

export type TransactionListRow = Awaited<ReturnType<typeof listRows>>[number]

type Scope = { readonly ownerId: OwnerId; readonly calendarId: string }

/** Returns one page of a calendar's payments, newest first, with the total count. */
export async function findTransactionsPage(
  db: Db,
  scope: Scope,
  page: { readonly number: number; readonly size: number },
): Promise<{ total: number; rows: TransactionListRow[] }> {
  const { total } = await transactions(db, scope)
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  const reading = toPageQuery(total, page)
  if (reading.limit === 0) return { total, rows: [] }
  const rows = await listRows(db, scope, reading)
  return { total, rows: reading.isFromEnd ? rows.reverse() : rows }
}

function transactions(db: Db, { ownerId, calendarId }: Scope) {
  return (
    db
      .selectFrom('payment_transactions as payment')
      .innerJoin('calendars', 'calendars.id', 'payment.calendar_id')
      .where('calendars.user_id', '=', ownerId)
      .where('payment.calendar_id', '=', calendarId)
      // Hide abandoned checkouts, where nobody paid and nothing failed. They are shown until the provider has confirmed
      // that nobody paid. Source: rule Y10.
      .where(({ not, and, eb }) =>
        not(
          and([
            eb('payment.abandoned', '=', true),
            eb('payment.status', '=', 'failed'),
            eb('payment.ask_again_at', 'is', null),
          ]),
        ),
      )
  )
}

function listRows(db: Db, scope: Scope, { offset, limit, isFromEnd }: PageQuery) {
  const direction = isFromEnd ? 'asc' : 'desc'
  return (
    transactions(db, scope)
      // Use a left join: the appointment may have been deleted, but its payment stays.
      .leftJoin('appointments', (join) =>
        join
          .onRef('appointments.calendar_id', '=', 'payment.calendar_id')
          .onRef('appointments.id', '=', 'payment.appointment_id'),
      )
      .leftJoin('customers', (join) =>
        join
          .onRef('customers.calendar_id', '=', 'appointments.calendar_id')
          .onRef('customers.id', '=', 'appointments.customer_id'),
      )
      .select([
        'payment.id',
        'payment.calendar_id',
        'payment.appointment_id',
        'payment.created_at',
        'payment.amount_cents',
        'payment.refunded_cents',
        'payment.return_cents',
        'payment.return_percent',
        'payment.currency',
        'payment.provider',
        'payment.status',
        'payment.payment_id',
        'payment.failure',
        'payment.abandoned',
        'payment.is_sandbox',
        'payment.refund_reason',
        'calendars.timezone',
        'calendars.hour_cycle',
        'appointments.starts_at',
        'appointments.ends_at',
        'appointments.title',
        'appointments.booking_reference',
        'appointments.customer_id',
        'appointments.customer_name',
        'appointments.customer_phone',
        'customers.email',
        'customers.client_id',
      ])
      .orderBy('payment.created_at', direction)
      .orderBy('payment.id', direction)
      .offset(offset)
      .limit(limit)
      .execute()
  )
}
