import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { RefundReason, Schema, TransactionStatus } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { PaymentProviderName } from '#server/ports/payment-provider.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'

export type PaymentKey = { readonly calendar_id: string; readonly id: string }

/** One payment for an appointment through a payment provider. */
export type Payment = PaymentKey & {
  readonly appointment_id: string
  readonly provider: PaymentProviderName
  readonly provider_account_id: string
  /** For PayPal, the client id of the owner's app with which the payment was started; null when unknown. */
  readonly app_client_id: string | null
  /** True when no real money moves. */
  readonly is_sandbox: boolean
  readonly amount_cents: number
  readonly currency: string
  readonly status: TransactionStatus
  /** The provider's id of the checkout; null until the provider has created it. */
  readonly checkout_id: string | null
  readonly checkout_url: string | null
  readonly payment_id: string | null
  readonly refunded_cents: number
  /**
   * The total to refund because of a cancellation, including what was already refunded; null when no cancellation
   * decided a refund.
   */
  readonly return_cents: number | null
  readonly return_percent: number | null
  readonly returnDecidedAtMs: number | null
  /** The part of `refunded_cents` that the owner paid back by hand, outside the provider. */
  readonly by_hand_cents: number
  readonly refund_reason: Schema['payment_transactions']['refund_reason']
  readonly failure: string | null
  /**
   * When to ask the provider again. Set when the hold expired before the provider reported whether the payment went
   * through.
   */
  readonly askAgainAtMs: number | null
  readonly completedAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** Statuses in which the customer can still pay. */
export const OPEN_PAYMENT_STATUSES = ['pending', 'capturing'] as const

export async function insertPayment(
  trx: Trx,
  payment: Pick<
    Payment,
    | 'calendar_id'
    | 'id'
    | 'appointment_id'
    | 'provider'
    | 'provider_account_id'
    | 'app_client_id'
    | 'is_sandbox'
    | 'amount_cents'
    | 'currency'
  > & { readonly created_at: Date },
): Promise<void> {
  await trx
    .insertInto('payment_transactions')
    .values({ ...payment, status: 'pending', updated_at: payment.created_at })
    .execute()
}

/** Updates a payment only while its status is one of `from`. Returns false when it was not updated. */
export async function updatePayment(
  db: Db,
  key: PaymentKey,
  from: readonly TransactionStatus[],
  change: Updateable<Schema['payment_transactions']> & { readonly updated_at: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('payment_transactions')
    .set(change)
    .where('calendar_id', '=', key.calendar_id)
    .where('id', '=', key.id)
    .where('status', 'in', from)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function findPayment(
  db: Db,
  { calendar_id: calendarId, id }: PaymentKey,
): Promise<Payment | null> {
  const row = await payments(db).where('calendar_id', '=', calendarId).where('id', '=', id).executeTakeFirst()
  return toPayment(row)
}

/** Locks a payment until the transaction ends. The caller has already locked the calendar and the appointment. */
export async function lockPayment(
  trx: Trx,
  { calendar_id: calendarId, id }: PaymentKey,
): Promise<Payment | null> {
  const row = await payments(trx)
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return toPayment(row)
}

/** Finds the latest payment of an appointment, optionally limited to some statuses. */
export async function findPaymentOfAppointment(
  db: Db,
  { calendarId, id }: AppointmentKey,
  statuses?: readonly TransactionStatus[],
): Promise<Payment | null> {
  const all = payments(db).where('calendar_id', '=', calendarId).where('appointment_id', '=', id)
  const row = await (statuses === undefined ? all : all.where('status', 'in', statuses))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return toPayment(row)
}

/** Finds a payment by one of its ids at the provider. */
export async function findPaymentByProviderId(
  db: Db,
  provider: PaymentProviderName,
  named: { readonly checkoutId: string } | { readonly paymentId: string },
): Promise<Payment | null> {
  const [column, name] =
    'checkoutId' in named
      ? (['checkout_id', named.checkoutId] as const)
      : (['payment_id', named.paymentId] as const)
  const row = await payments(db).where('provider', '=', provider).where(column, '=', name).executeTakeFirst()
  return toPayment(row)
}

/** Selects the payments of a calendar at one provider, or at all providers. */
export type PaymentFilter = { readonly calendarId: string; readonly provider: PaymentProviderName | null }

/** Lists payments that customers can still complete, and payments whose result the provider has not reported. */
export async function listUnsettledPayments(db: Db, scope: PaymentFilter): Promise<Payment[]> {
  const rows = await inScope(db, scope)
    .where((row) => row.or([row('status', 'in', OPEN_PAYMENT_STATUSES), row('ask_again_at', 'is not', null)]))
    .execute()
  return toPayments(rows)
}

/**
 * SQL that is true when a refund through the provider is due and not complete: of the whole payment, or of the part
 * that a cancellation refunds. The argument is the query's alias of the table.
 */
export function isRefundDueSql(payment: string): RawBuilder<boolean> {
  const [provider, status, owed, returned] = ['provider', 'status', 'return_cents', 'refunded_cents'].map(
    (column) => sql.ref(`${payment}.${column}`),
  )
  return sql<boolean>`(${provider} <> 'manual'
    and (${status} = 'refund_pending' or ${status} = 'completed' and ${owed} > ${returned}))`
}

export async function listRefundsDue(db: Db, scope: PaymentFilter): Promise<Payment[]> {
  return toPayments(await inScope(db, scope).where(isRefundDueSql('payment_transactions')).execute())
}

/** Lists payments about which the provider should be asked again by now, the longest overdue first. */
export async function listPaymentsToRecheck(db: Db, now: Date, limit: number): Promise<Payment[]> {
  const rows = await payments(db)
    .where('ask_again_at', '<=', now)
    // Only failed payments are listed here; payments whose hold has not ended are checked by the sweep of holds.
    .where('status', '=', 'failed')
    .orderBy('ask_again_at')
    .limit(limit)
    .execute()
  return toPayments(rows)
}

/** True when we have asked a provider to capture a payment after `since` and do not know the result yet. */
export async function hasCaptureInProgress(trx: Trx, calendarId: string, since: Date): Promise<boolean> {
  const row = await payments(trx)
    .where('calendar_id', '=', calendarId)
    .where('status', '=', 'capturing')
    .where('created_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Locks the appointments of a calendar that have an open payment. All code locks appointments before their payments.
 */
export async function lockAppointmentsAwaitingPayment(trx: Trx, calendarId: string): Promise<void> {
  const awaited = payments(trx).clearSelect().select('appointment_id')
  await trx
    .selectFrom('appointments')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .where(
      'id',
      'in',
      awaited.where('calendar_id', '=', calendarId).where('status', 'in', OPEN_PAYMENT_STATUSES),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** True when a customer can still pay through a provider. The calendar's lock keeps out new payments. */
export async function hasOpenPayment(
  trx: Trx,
  calendarId: string,
  provider: PaymentProviderName,
): Promise<boolean> {
  const row = await inScope(trx, { calendarId, provider })
    .where('status', 'in', OPEN_PAYMENT_STATUSES)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Statuses of payments that were received, through a provider or by hand. */
const RECEIVED = ['completed', 'manual'] as const

/** Records a payment that the owner received by hand, unless a payment was already received. Source: rule A10. */
export async function recordManualPayment(
  trx: Trx,
  key: AppointmentKey,
  payment: { id: string; amount_cents: number; currency: string; created_at: Date },
): Promise<void> {
  const received = await trx
    .selectFrom('payment_transactions')
    .select('id')
    .where('calendar_id', '=', key.calendarId)
    .where('appointment_id', '=', key.id)
    .where('status', 'in', RECEIVED)
    .executeTakeFirst()
  if (received !== undefined) return
  await trx
    .insertInto('payment_transactions')
    .values({
      ...payment,
      calendar_id: key.calendarId,
      appointment_id: key.id,
      provider: 'manual',
      status: 'manual',
    })
    .execute()
}

/**
 * Records that the whole payment was refunded. `isByHand` is true when the owner paid back, by hand, money that a
 * provider had received.
 */
export async function recordRefund(
  trx: Trx,
  key: AppointmentKey,
  { refundId, isByHand, refundedAt }: { refundId: string | null; isByHand: boolean; refundedAt: Date },
): Promise<void> {
  await trx
    .updateTable('payment_transactions')
    .set(({ ref, eb }) => ({
      status: 'refunded',
      refund_id: refundId,
      refunded_cents: ref('amount_cents'),
      // Leave the reason unset for a payment received by hand: its refunds are always by hand.
      refund_reason: isByHand
        ? eb
            .case()
            .when('provider', '=', 'manual')
            .then('owner' as const)
            .else('by_hand' as const)
            .end()
        : 'owner',
      by_hand_cents: isByHand
        ? eb
            .case()
            .when('provider', '=', 'manual')
            .then(eb.ref('by_hand_cents'))
            .else(sql<number>`by_hand_cents + amount_cents - refunded_cents`)
            .end()
        : eb.ref('by_hand_cents'),
      failure: null,
      refunded_at: refundedAt,
      updated_at: refundedAt,
    }))
    .where('calendar_id', '=', key.calendarId)
    .where('appointment_id', '=', key.id)
    .where('status', 'in', RECEIVED)
    .execute()
}

/** The total refund that a cancellation has decided. */
export type PendingRefund = {
  readonly cents: number
  readonly percent: number | null
  readonly decidedAt: Date
}

/**
 * Stores how much of the received payment to refund. Amounts refunded earlier are included. Source: rule Q9.
 * @returns the payment if its provider has to refund money
 */
export async function storePendingRefund(
  trx: Trx,
  key: AppointmentKey,
  { cents, percent, decidedAt }: PendingRefund,
): Promise<PaymentKey | null> {
  const row = await trx
    .updateTable('payment_transactions')
    .set({
      return_cents: sql<number>`least(greatest(${cents}::integer, refunded_cents), amount_cents)`,
      return_percent: percent,
      return_decided_at: decidedAt,
      failure: null,
      updated_at: decidedAt,
    })
    .where('calendar_id', '=', key.calendarId)
    .where('appointment_id', '=', key.id)
    .where('status', 'in', RECEIVED)
    .returning(['id', 'provider', sql<boolean>`return_cents > refunded_cents`.as('is_owed')])
    .executeTakeFirst()
  if (row === undefined || !row.is_owed || row.provider === 'manual') return null
  return { calendar_id: key.calendarId, id: row.id }
}

/** Cancels a planned refund because the appointment takes place after all. What was already refunded stays refunded. */
export async function cancelPendingRefund(trx: Trx, key: AppointmentKey, droppedAt: Date): Promise<void> {
  await trx
    .updateTable('payment_transactions')
    .set({ return_cents: null, return_percent: null, return_decided_at: null, updated_at: droppedAt })
    .where('calendar_id', '=', key.calendarId)
    .where('appointment_id', '=', key.id)
    .where('return_cents', 'is not', null)
    .where('status', 'in', RECEIVED)
    .execute()
}

/**
 * Records that the owner paid the planned refund by hand. Source: rule Q10.
 * @returns false when no refund is outstanding
 */
export async function recordManualRefund(trx: Trx, key: AppointmentKey, returnedAt: Date): Promise<boolean> {
  const result = await trx
    .updateTable('payment_transactions')
    .set({
      by_hand_cents: sql<number>`by_hand_cents + return_cents - refunded_cents`,
      refunded_cents: sql<number>`return_cents`,
      status: sql<TransactionStatus>`case when return_cents = amount_cents then 'refunded' else status end`,
      refund_reason: sql<RefundReason>`case when provider = 'manual' then 'owner' else 'by_hand' end`,
      failure: null,
      refunded_at: returnedAt,
      updated_at: returnedAt,
    })
    .where('calendar_id', '=', key.calendarId)
    .where('appointment_id', '=', key.id)
    .where('status', 'in', RECEIVED)
    .whereRef('return_cents', '>', 'refunded_cents')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export type OutstandingRefund = PaymentKey & {
  /** The amount that is still to be refunded, in minor units. */
  readonly cents: number
  readonly currency: string
  /** True when no provider received the money, so that only the owner can pay it back. */
  readonly isByHand: boolean
  /** True when this completes a full refund. */
  readonly isWhole: boolean
}

/** Finds the refund that a cancellation has decided and that is still outstanding. Null when there is none. */
export async function findOutstandingRefund(db: Db, key: AppointmentKey): Promise<OutstandingRefund | null> {
  const row = await db
    .selectFrom('payment_transactions')
    .select(['id', 'provider', 'currency', 'amount_cents', 'refunded_cents', 'return_cents'])
    .where('calendar_id', '=', key.calendarId)
    .where('appointment_id', '=', key.id)
    .where('status', 'in', RECEIVED)
    .whereRef('return_cents', '>', 'refunded_cents')
    .executeTakeFirst()
  if (row === undefined || row.return_cents === null) return null
  return {
    calendar_id: key.calendarId,
    id: row.id,
    cents: row.return_cents - row.refunded_cents,
    currency: row.currency,
    isByHand: row.provider === 'manual',
    isWhole: row.return_cents === row.amount_cents,
  }
}

/** Clears the failure of a refund, so that it is retried. Called when the owner requests it. */
export async function clearRefundFailure(trx: Trx, key: PaymentKey, at: Date): Promise<void> {
  await updatePayment(trx, key, ['completed'], { failure: null, return_decided_at: at, updated_at: at })
}

/** Returns the outstanding refund of a cancellation, in minor units. */
export function toOutstandingRefundCents({
  status,
  return_cents: returnCents,
  refunded_cents: refundedCents,
}: Payment): number {
  return status === 'completed' ? Math.max(0, (returnCents ?? 0) - refundedCents) : 0
}

/** The outcome of a checkout. */
export type CheckoutOutcome = {
  /** The reason for the failure; stored only if none is stored yet. */
  readonly failure: string | null
  /** True when the customer left the checkout or let it expire, so that nothing failed. Source: rule Y10. */
  readonly isAbandoned?: boolean
  /** The payments whose result the provider has not reported: none, only those that we asked it to capture, or all. */
  readonly unknown: 'none' | 'captures' | 'all'
}

/**
 * Delay before a provider is first asked again, in milliseconds. By then, a request that was in flight has got its
 * response.
 */
const FIRST_PAUSE_MS = 60_000

/**
 * Marks the open payments of an appointment, or of a whole calendar, as failed; a payment that arrives now is late. If
 * money may have moved and the provider has not reported the result, the provider will be asked again.
 */
export async function failOpenPayments(
  trx: Trx,
  { calendarId, id }: Pick<AppointmentKey, 'calendarId'> & Partial<AppointmentKey>,
  endedAt: Date,
  { failure, unknown, isAbandoned = false }: CheckoutOutcome,
): Promise<void> {
  // At Stripe, the customer's action moves the money. At PayPal, it moves only when we capture the payment.
  const mayHaveMoved = sql`checkout_id is not null and (
    ask_again_at is not null
    or status = 'capturing' and ${unknown !== 'none'}::boolean
    or provider = 'stripe' and ${unknown === 'all'}::boolean
  )`
  const askAgainAt = new Date(endedAt.getTime() + FIRST_PAUSE_MS)
  const ended = trx
    .updateTable('payment_transactions')
    .set(({ fn, ref, val }) => ({
      status: 'failed',
      failure: sql<
        string | null
      >`case when ${mayHaveMoved} then ${NO_PROVIDER_RESPONSE_TEXT} else ${fn.coalesce(ref('failure'), val(failure))} end`,
      // A payment that the provider refused counts as failed, even if the customer left afterwards.
      abandoned: sql<boolean>`${isAbandoned}::boolean and failure is null`,
      ask_again_at: sql<Date | null>`case when ${mayHaveMoved} then ${askAgainAt}::timestamptz end`,
      updated_at: endedAt,
    }))
    .where('calendar_id', '=', calendarId)
    .where('status', 'in', ['pending', 'capturing'])
  await (id === undefined ? ended : ended.where('appointment_id', '=', id)).execute()
}

/**
 * Deletes the payments of a customer who left the checkout, once the checkouts have ended at the provider without a
 * charge. With `transactionId`, only that payment. Source: rule Y10.
 */
export async function deleteAbandonedPayments(
  db: Db,
  { calendarId, id }: AppointmentKey,
  transactionId: string | null,
): Promise<void> {
  const left = db
    .deleteFrom('payment_transactions')
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', id)
    .where('status', '=', 'failed')
    .where('abandoned', '=', true)
    .where('payment_id', 'is', null)
    .where('ask_again_at', 'is', null)
  await (transactionId === null ? left : left.where('id', '=', transactionId)).execute()
}

/** The failure text of a payment whose provider has not reported the result. */
export const NO_PROVIDER_RESPONSE_TEXT =
  'The payment provider hasn’t said yet whether this payment went through.'

/**
 * Stops rechecking PayPal payments of a calendar that is being deleted: PayPal can only be queried with the calendar's
 * keys, which are deleted with it. Source: rule P17.
 */
export async function stopRecheckingPayments(trx: Trx, calendarId: string, updatedAt: Date): Promise<void> {
  await trx
    .updateTable('payment_transactions')
    .set({ ask_again_at: null, updated_at: updatedAt })
    .where('calendar_id', '=', calendarId)
    .where('provider', '=', 'paypal')
    .where('ask_again_at', 'is not', null)
    .execute()
}

function payments(db: Db) {
  return db.selectFrom('payment_transactions').selectAll().where('provider', '<>', 'manual')
}

function inScope(db: Db, { calendarId, provider }: PaymentFilter) {
  const all = payments(db).where('calendar_id', '=', calendarId)
  return provider === null ? all : all.where('provider', '=', provider)
}

function toPayments(rows: readonly Parameters<typeof toPayment>[0][]): Payment[] {
  return rows.map(toPayment).filter((payment) => payment !== null)
}

function toPayment(
  row: Awaited<ReturnType<ReturnType<typeof payments>['executeTakeFirst']>>,
): Payment | null {
  if (row === undefined) return null
  const { appointment_id, provider_account_id } = row
  if (appointment_id === null || provider_account_id === null) return null
  return {
    ...row,
    appointment_id,
    provider_account_id,
    provider: row.provider as PaymentProviderName, // The query leaves out payments received by hand.
    returnDecidedAtMs: row.return_decided_at?.getTime() ?? null,
    askAgainAtMs: row.ask_again_at?.getTime() ?? null,
    completedAtMs: row.completed_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  }
}
