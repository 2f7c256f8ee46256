import { sql } from 'kysely'
import type { AppointmentState } from '#core/booking/appointment-actions.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type AppointmentKey = { readonly calendarId: string; readonly id: string }

export type ActedAppointment = {
  readonly state: AppointmentState
  readonly startsAtMs: number
  readonly endsAtMs: number
  /**
   * The exclusive location that the appointment takes again: the one it has kept, else its location when that is
   * exclusive now.
   */
  readonly conflictLocationId: string | null
  readonly priceCents: number | null
  readonly currency: string
  readonly sequence: number
}

/**
 * An appointment for an action, with its hold. `holdExpiresAtMs` is null when there is no hold, or when the owner has
 * decided about it.
 */
export type AwaitedRow = ActedAppointment & {
  readonly createdAtMs: number
  readonly holdExpiresAtMs: number | null
  readonly isReleased: boolean
}

/** One appointment of a calendar for an action. Null when there is none; a hold that has ended counts as none. */
export async function findActedAppointment(db: Db, key: AppointmentKey): Promise<ActedAppointment | null> {
  const held = actedAppointment(db, key).where('appointments.released_at', 'is', null)
  return toAwaited(await held.executeTakeFirst())
}

/** The appointment, locked for the rest of the transaction. The calendar is locked before. */
export async function lockActedAppointment(trx: Trx, key: AppointmentKey): Promise<ActedAppointment | null> {
  const appointment = await lockAwaitedAppointment(trx, key)
  return appointment?.isReleased === true ? null : appointment
}

/** The appointment, also when its hold has ended: money can still come in for it. */
export async function lockAwaitedAppointment(trx: Trx, key: AppointmentKey): Promise<AwaitedRow | null> {
  return toAwaited(await actedAppointment(trx, key).forUpdate('appointments').executeTakeFirst())
}

function actedAppointment(db: Db, key: AppointmentKey) {
  return db
    .selectFrom('appointments')
    .leftJoin('locations', 'locations.id', 'appointments.location_id')
    .select([
      'appointments.status',
      'appointments.payment_status',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.conflict_location_id',
      'locations.id as place_id',
      sql<boolean>`locations.type = 'physical' and exclusive and not is_online`.as('takes_place'),
      'appointments.price_cents',
      'appointments.currency',
      'appointments.sequence',
      'appointments.created_at',
      'appointments.hold_expires_at',
      'appointments.released_at',
    ])
    .where('appointments.calendar_id', '=', key.calendarId)
    .where('appointments.id', '=', key.id)
}

function toAwaited(
  row: Awaited<ReturnType<ReturnType<typeof actedAppointment>['executeTakeFirst']>>,
): AwaitedRow | null {
  if (row === undefined) return null
  return {
    state: { status: row.status, paymentStatus: row.payment_status },
    startsAtMs: row.starts_at.getTime(),
    endsAtMs: row.ends_at.getTime(),
    conflictLocationId: placeTaken(row),
    priceCents: row.price_cents,
    currency: row.currency,
    sequence: row.sequence,
    createdAtMs: row.created_at.getTime(),
    holdExpiresAtMs: row.hold_expires_at?.getTime() ?? null,
    isReleased: row.released_at !== null,
  }
}

/**
 * The location that takes one appointment at a time, with its present values: the copy in the appointment follows a
 * little later. A deleted location keeps the values that it had when it was deleted.
 */
function placeTaken(row: {
  conflict_location_id: string | null
  place_id: string | null
  takes_place: boolean
}): string | null {
  if (row.place_id === null) return row.conflict_location_id
  return row.takes_place ? row.place_id : null
}

/**
 * Shortens the appointments whose buffer reaches into a time that is taken again with the present buffer. Past ones can
 * have a longer buffer, because lowering the buffer does not change them. The calendar is locked.
 */
export async function shortenBuffersAt(
  trx: Trx,
  calendarId: string,
  { time, bufferMinutes }: { time: Interval; bufferMinutes: number },
): Promise<void> {
  const blockedUntil = sql`ends_at + make_interval(mins => ${bufferMinutes}::integer)`
  await trx
    .updateTable('appointments')
    .set({ blocked: sql<string>`tstzrange(starts_at, ${blockedUntil})` })
    .where('calendar_id', '=', calendarId)
    .where('status', '<>', 'cancelled')
    .where('released_at', 'is', null)
    // The index of the exclusion constraint answers the range operator.
    .where(sql<boolean>`blocked && tstzrange(${new Date(time.startMs)}, ${new Date(time.endMs)})`)
    .where(sql<boolean>`upper(blocked) > ${blockedUntil}`)
    .execute()
}

/** Whether the customer of an appointment has an address to write to. */
export async function hasCustomerEmail(trx: Trx, key: AppointmentKey): Promise<boolean> {
  const row = await trx
    .selectFrom('appointments')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.calendar_id', '=', 'appointments.calendar_id')
        .onRef('customers.id', '=', 'appointments.customer_id'),
    )
    .select('customers.email')
    .where('appointments.calendar_id', '=', key.calendarId)
    .where('appointments.id', '=', key.id)
    .executeTakeFirst()
  return row !== undefined && row.email !== null
}

/**
 * Writes the result of an action or a payment. An appointment that was decided about is not a hold any more: it does
 * not end by itself. Time that is taken again gets the present buffer, and its location when that is exclusive. The
 * constraints refuse a time that is taken (SQLSTATE 23P01). Source: rule A9.
 */
export async function storeActionResult(
  trx: Trx,
  key: AppointmentKey,
  result: {
    state: AppointmentState
    sequence: number
    updatedAt: Date
    /** When a time is taken again: until when it is blocked, and which exclusive location it takes. */
    taken: { until: Date; conflictLocationId: string | null } | null
    /** Null leaves it as it is. */
    paymentIntentId?: string | null
    /** Whether it is paid with money that is not real; null leaves it as it is. */
    paidInSandbox: boolean | null
  },
): Promise<void> {
  const { state, sequence, updatedAt, taken, paymentIntentId = null, paidInSandbox } = result
  await trx
    .updateTable('appointments')
    .set({
      status: state.status,
      payment_status: state.paymentStatus,
      sequence,
      hold_expires_at: null,
      released_at: null,
      updated_at: updatedAt,
      ...(paymentIntentId === null ? {} : { stripe_payment_intent_id: paymentIntentId }),
      ...(paidInSandbox === null ? {} : { paid_in_sandbox: paidInSandbox }),
      ...(taken === null
        ? {}
        : {
            blocked: sql<string>`tstzrange(starts_at, ${taken.until})`,
            conflict_location_id: taken.conflictLocationId,
            needs_google_sync: true,
          }),
    })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.id)
    .execute()
}

/** When a payment came in, through a provider or by hand. */
const RECEIVED = ['completed', 'manual'] as const

/** Records a payment that the owner received by hand, unless another one has come in. Source: rule A10. */
export async function recordManualPayment(
  trx: Trx,
  key: AppointmentKey,
  payment: { id: string; amountCents: number; currency: string; createdAt: Date },
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
      calendar_id: key.calendarId,
      id: payment.id,
      appointment_id: key.id,
      amount_cents: payment.amountCents,
      currency: payment.currency,
      provider: 'manual',
      status: 'manual',
      created_at: payment.createdAt,
    })
    .execute()
}

/** All of the money has gone back. `isByHand`: the owner returns what a provider took. */
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
      // Money that no provider took is returned by hand anyway.
      refund_reason: isByHand
        ? eb
            .case()
            .when('provider', '=', 'manual')
            .then('owner' as const)
            .else('by_hand' as const)
            .end()
        : 'owner',
      failure: null,
      refunded_at: refundedAt,
      updated_at: refundedAt,
    }))
    .where('calendar_id', '=', key.calendarId)
    .where('appointment_id', '=', key.id)
    .where('status', 'in', RECEIVED)
    .execute()
}

/** How a checkout ends. */
export type CheckoutEnding = {
  /** The reason, unless one was given before. */
  readonly failure: string | null
  /** Which payments a provider has left open: all of them, or only those whose money we have asked it to move. */
  readonly unknown: 'none' | 'captures' | 'all'
}

/**
 * When a provider is asked again for the first time, in milliseconds. A question that was under way has its answer by
 * then.
 */
const FIRST_PAUSE_MS = 60_000

/**
 * Ends the waiting for the checkouts of an appointment, or of a whole calendar: a payment there now comes too late.
 * Where money may have moved and the provider has not said so, the provider is asked again.
 */
export async function endOpenPayments(
  trx: Trx,
  { calendarId, id }: Pick<AppointmentKey, 'calendarId'> & Partial<AppointmentKey>,
  endedAt: Date,
  { failure, unknown }: CheckoutEnding,
): Promise<void> {
  // At Stripe the customer moves the money. At PayPal it moves only when we capture it.
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
      >`case when ${mayHaveMoved} then ${UNANSWERED} else ${fn.coalesce(ref('failure'), val(failure))} end`,
      ask_again_at: sql<Date | null>`case when ${mayHaveMoved} then ${askAgainAt}::timestamptz end`,
      updated_at: endedAt,
    }))
    .where('calendar_id', '=', calendarId)
    .where('status', 'in', ['pending', 'capturing'])
  await (id === undefined ? ended : ended.where('appointment_id', '=', id)).execute()
}

/** The text beside a payment whose provider did not answer. */
export const UNANSWERED = 'The payment provider has not said yet whether this payment went through.'
