import { randomUUID } from 'node:crypto'
import { SENDER_TRUST_LEVELS } from '#core/messages/sender-level.ts'
import { MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import { isInAnyInterval } from '#core/shared/interval.ts'
import { toMailboxName } from '#core/shared/mailbox-name.ts'
import type { PlannedOffer } from '#core/waiting-list/plan-offers.ts'
import {
  insertBooking,
  toBookingRequirements,
  toPaymentTerms,
} from '#server/areas/appointments/bookings/insert-booking.ts'
import {
  type LockedBooking,
  lockBookableCalendar,
  lockBooking,
} from '#server/areas/appointments/bookings/repository.ts'
import { type HoldOwner, toHoldOwner } from '#server/areas/appointments/holds/to-hold-owner.ts'
import { refuseHoldOverLimit } from '#server/areas/appointments/holds/use-cases.ts'
import { findSendingOwner } from '#server/messages/queue/sender-repository.ts'
import type { BudgetUse } from '#server/platform/budgets/budgets.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { BookedAppointment } from '#server/records/appointments/appointment.ts'
import { translateBookingConflicts } from '#server/records/appointments/translate-booking-conflicts.ts'
import { type BookingRequirements, listReasonsUnderLock } from '#server/records/slots/use-cases.ts'
import type { WaitingListDeps } from './deps.ts'
import { OFFER_EXPIRY_JOB, WAITING_MAIL_JOB } from './job-definitions.ts'
import { listAbsences } from './list-absences.ts'
import {
  insertOffer as insertOfferRow,
  lockEntry,
  type StoredWaitingEntry,
  updateEntry,
  type WaitingEntryKey,
} from './repository.ts'

const TIME_NOT_FREE_REFUSALS = { time: 'waiting.time_not_free', place: 'waiting.time_not_free' } as const

type NewOffer = Pick<PlannedOffer, 'customerId' | 'startMs' | 'heldUntilMs'> & {
  readonly calendarId: string
  readonly madeBy: 'list' | 'owner'
  /**
   * False when holds already block the maximum share of the day. The time is then offered without a hold, and
   * `heldUntilMs` is when the offer expires. Source: rule H8.
   */
  readonly mayHold?: boolean
}

/**
 * Offers a time to one customer, in its own transaction. An offer to this customer alone holds the time with an appointment,
 * under the same constraints as any other hold. An offer that goes to all matching customers does not hold the time. Source:
 * rules Z2 and Z5.
 * @throws ProblemError `calendar.not_found`, `waiting.not_found`, `waiting.ended`, `waiting.offered_already`,
 *   `waiting.time_not_free`, `waiting.too_many*`, `booking.*`, `hold.*`
 */
export function insertOffer(deps: WaitingListDeps, offer: NewOffer): Promise<void> {
  return translateBookingConflicts(TIME_NOT_FREE_REFUSALS, () =>
    inTransaction(deps.db, (trx) => makeOffer(deps, trx, offer)),
  )
}

async function makeOffer(deps: WaitingListDeps, trx: Trx, offer: NewOffer): Promise<void> {
  const { calendarId, customerId: entryId, startMs, heldUntilMs, madeBy, mayHold = true } = offer
  const calendar = await lockBookableCalendar(trx, calendarId)
  if (calendar === null) throw new ProblemError('calendar.not_found')
  const entry = await lockWaiting(trx, { calendar_id: calendarId, id: entryId })
  const { appointment_type_id: typeId, link_rotation: rotation } = entry
  const locked = await lockBooking(deps, trx, { calendar, typeId })
  const requirements = toBookingRequirements(locked, { typeId, missing: 'booking.incomplete' })
  const nowMs = deps.now()
  const start = { calendar, requirements, startsAtMs: startMs, nowMs }
  const holder = madeBy === 'list' ? toHolderOf(deps, entry) : null
  const absences = madeBy === 'list' ? await listAbsences({ db: trx, now: deps.now }, calendar) : []
  const isFree =
    !calendar.is_paused &&
    !isInAnyInterval(absences, startMs) &&
    (await listReasonsUnderLock(trx, start)).length === 0
  if (!isFree) throw new ProblemError('waiting.time_not_free')

  // An offer without a hold stays open until the minimum notice makes the time unavailable for bookings.
  const bookableUntilMs = startMs - calendar.rules.noticeMinutes * MINUTE_MS
  const expiresAt = new Date(heldUntilMs ?? bookableUntilMs)
  const hold = { locked, entry, holder, requirements, startsAtMs: startMs, nowMs, expiresAt }
  const held = heldUntilMs !== null && mayHold ? await holdTime(deps, trx, hold) : null
  if (holder !== null) await countOffer(deps, trx, entry, holder)
  const id = randomUUID()
  await insertOfferRow(trx, {
    calendar_id: calendarId,
    id,
    entry_id: entryId,
    starts_at: new Date(startMs),
    ends_at: new Date(startMs + requirements.durationMinutes * MINUTE_MS),
    made_by: madeBy,
    held_appointment_id: held?.id ?? null,
    offered_at: new Date(nowMs),
    expires_at: expiresAt,
  })
  await updateEntry(trx, { calendar_id: calendarId, id: entryId }, { state: 'offered' })
  await deps.jobs.insert(trx, WAITING_MAIL_JOB, [{ calendarId, entryId, offerId: id, rotation }])
  const afterSeconds = Math.ceil((expiresAt.getTime() - nowMs) / SECOND_MS)
  await deps.jobs.insert(trx, OFFER_EXPIRY_JOB, [{ calendarId, offerId: id }], { afterSeconds })
}

/**
 * Locks the entry of a customer who is waiting and has no open offer.
 * @throws ProblemError `waiting.not_found`, `waiting.offered_already`, `waiting.ended`
 */
async function lockWaiting(trx: Trx, key: WaitingEntryKey): Promise<StoredWaitingEntry> {
  const entry = await lockEntry(trx, key)
  if (entry === null) throw new ProblemError('waiting.not_found')
  if (entry.state === 'offered') throw new ProblemError('waiting.offered_already')
  if (entry.state !== 'waiting') throw new ProblemError('waiting.ended')
  return entry
}

/**
 * Returns the holder towards whose limits the offer's hold counts: the sender of the request. Requests stored by an
 * older version have no sender, so the email address is used in place of the client. Returns null for a customer whom
 * the owner added, who has no limit. Source: rule H2.
 */
function toHolderOf(deps: Pick<WaitingListDeps, 'toPseudonym'>, entry: StoredWaitingEntry) {
  const { added_by, customer_email, client_key, network_key } = entry
  if (added_by === 'owner') return null
  const known = toHoldOwner(deps, { address: customer_email, network: null }, customer_email)
  return client_key === null || network_key === null
    ? known
    : { ...known, client: client_key, network: network_key }
}

/**
 * Counts an offer towards the limits of the customer and then of the practice. Source: rule Z16.
 * @throws ProblemError `waiting.too_many_for_email` when this customer gets no more offers today, `waiting.too_many`
 * when the practice makes no more today
 */
async function countOffer(
  { budgets, now }: WaitingListDeps,
  trx: Trx,
  { calendar_id: calendarId, customer_email: email }: StoredWaitingEntry,
  { client, network }: HoldOwner,
): Promise<void> {
  const sender = await findSendingOwner(trx, calendarId, new Date(now()))
  if (sender === null) throw new ProblemError('calendar.not_found')
  const uses: BudgetUse[] = [
    { budget: 'waiting_offers_client', subject: client },
    { budget: 'waiting_offers_network', subject: network },
    { budget: 'waiting_offers_email', subject: toMailboxName(email) },
    {
      budget: 'waiting_offers_practice',
      subject: sender.ownerId,
      times: SENDER_TRUST_LEVELS[sender.standing].email_practice,
    },
  ]
  const spent = await budgets.spend(uses, trx)
  if (spent === null) return
  const isPractice = spent.budget === 'waiting_offers_practice'
  throw new ProblemError(
    isPractice ? 'waiting.too_many' : 'waiting.too_many_for_email',
    [],
    spent.waitSeconds,
  )
}

type Hold = {
  readonly locked: LockedBooking
  readonly entry: StoredWaitingEntry
  readonly holder: HoldOwner | null
  readonly requirements: BookingRequirements
  readonly startsAtMs: number
  readonly nowMs: number
  readonly expiresAt: Date
}

/**
 * Holds a time for one customer with an unconfirmed appointment. The hold counts towards the customer's limits, unless
 * the owner makes the offer. Source: rules H2 and H8.
 * @throws ProblemError `hold.*`
 */
async function holdTime(
  deps: WaitingListDeps,
  trx: Trx,
  { entry, holder, expiresAt, ...start }: Hold,
): Promise<BookedAppointment> {
  if (holder !== null) {
    const { calendar } = start.locked
    const wanted = { ...start, reason: 'offer', holder, calendar, calendarId: calendar.id } as const
    await refuseHoldOverLimit(deps, trx, wanted)
  }
  return insertBooking(deps, trx, {
    ...start,
    title: undefined,
    description: null,
    customer: {
      name: entry.customer_name,
      email: entry.customer_email,
      phone: entry.customer_phone,
      timeZone: entry.customer_time_zone,
    },
    paymentStatus: toPaymentTerms(start.locked).paymentStatus,
    hold: { reason: 'offer', expiresAt, holder },
    bookedBy: 'customer',
  })
}
