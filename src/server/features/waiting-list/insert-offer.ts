import { randomUUID } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import { liesInOne } from '#core/shared/interval.ts'
import type { PlannedOffer } from '#core/waiting/plan-offers.ts'
import type { BookedAppointment } from '#server/features/appointments/details-repository.ts'
import { insertBooking, toPaymentTerms, toTimeNeeded } from '#server/features/bookings/insert-booking.ts'
import { refusingTakenTime } from '#server/features/bookings/refuse-taken-time.ts'
import {
  type LockedBooking,
  lockBookableCalendar,
  lockBooking,
} from '#server/features/bookings/repository.ts'
import { judgeSlot, type TimeNeeded } from '#server/features/slots/use-cases.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { WaitingListDeps } from './deps.ts'
import { OFFER_END, WAITING_MAIL } from './job-definitions.ts'
import { listAbsences } from './list-absences.ts'
import {
  type Entry,
  type EntryKey,
  insertOffer as insertOfferRow,
  lockEntry,
  updateEntry,
} from './repository.ts'

const NOT_FREE = { time: 'waiting.time_not_free', place: 'waiting.time_not_free' } as const

type NewOffer = Pick<PlannedOffer, 'customerId' | 'startMs' | 'heldUntilMs'> & {
  readonly calendarId: string
  readonly madeBy: 'list' | 'owner'
}

/**
 * Offers a time to one customer, in a transaction of its own. A time that is for them alone is held by an appointment, under the
 * same constraints as any other hold. A time of which all who fit are told is not held. Source: rules Z2 and Z5.
 * @throws ProblemError `calendar.not_found`, `waiting.not_found`, `waiting.ended`, `waiting.offered_already`,
 *   `waiting.time_not_free`, `booking.*`
 */
export function insertOffer(deps: WaitingListDeps, offer: NewOffer): Promise<void> {
  return refusingTakenTime(NOT_FREE, () => inTransaction(deps.db, (trx) => makeOffer(deps, trx, offer)))
}

async function makeOffer(deps: WaitingListDeps, trx: Trx, offer: NewOffer): Promise<void> {
  const { calendarId, customerId: entryId, startMs, heldUntilMs, madeBy } = offer
  const calendar = await lockBookableCalendar(trx, calendarId)
  if (calendar === null) throw new ProblemError('calendar.not_found')
  const entry = await lockWaiting(trx, { calendarId, id: entryId })
  const { typeId, linkRotation: rotation } = entry
  const locked = await lockBooking(deps, trx, { calendar, typeId })
  const timeNeeded = toTimeNeeded(locked, { typeId, missing: 'booking.incomplete' })
  const nowMs = deps.now()
  const start = { calendar, timeNeeded, startsAtMs: startMs, nowMs }
  const absences = madeBy === 'list' ? await listAbsences({ db: trx, now: deps.now }, calendar) : []
  const isFree =
    !calendar.isPaused && !liesInOne(absences, startMs) && (await judgeSlot(trx, start)) === 'open'
  if (!isFree) throw new ProblemError('waiting.time_not_free')

  // An offer without a hold stays open until the notice of the calendar lets nobody book the time any more.
  const bookableUntilMs = startMs - calendar.rules.noticeMinutes * MINUTE_MS
  const expiresAt = new Date(heldUntilMs ?? bookableUntilMs)
  const hold = { locked, entry, timeNeeded, startsAtMs: startMs, nowMs, expiresAt }
  const held = heldUntilMs === null ? null : await holdTime(deps, trx, hold)
  const id = randomUUID()
  await insertOfferRow(trx, {
    calendarId,
    id,
    entryId,
    startsAt: new Date(startMs),
    endsAt: new Date(startMs + timeNeeded.durationMinutes * MINUTE_MS),
    madeBy,
    heldAppointmentId: held?.id ?? null,
    offeredAt: new Date(nowMs),
    expiresAt,
  })
  await updateEntry(trx, { calendarId, id: entryId }, { state: 'offered' })
  await deps.jobs.insert(trx, WAITING_MAIL, [{ calendarId, entryId, offerId: id, rotation }])
  const afterSeconds = Math.ceil((expiresAt.getTime() - nowMs) / SECOND_MS)
  await deps.jobs.insert(trx, OFFER_END, [{ calendarId, offerId: id }], { afterSeconds })
}

/** Somebody who waits and has no offer. */
async function lockWaiting(trx: Trx, key: EntryKey): Promise<Entry> {
  const entry = await lockEntry(trx, key)
  if (entry === null) throw new ProblemError('waiting.not_found')
  if (entry.state === 'offered') throw new ProblemError('waiting.offered_already')
  if (entry.state !== 'waiting') throw new ProblemError('waiting.ended')
  return entry
}

type Hold = {
  readonly locked: LockedBooking
  readonly entry: Entry
  readonly timeNeeded: TimeNeeded
  readonly startsAtMs: number
  readonly nowMs: number
  readonly expiresAt: Date
}

/** Holds a time for one customer, by an appointment that is not booked yet. */
function holdTime(
  deps: WaitingListDeps,
  trx: Trx,
  { entry, expiresAt, ...start }: Hold,
): Promise<BookedAppointment> {
  return insertBooking(deps, trx, {
    ...start,
    title: undefined,
    description: null,
    customer: entry.customer,
    paymentStatus: toPaymentTerms(start.locked).paymentStatus,
    // The practice made the offer, so it counts for no customer's limit of holds. Source: rule H2.
    hold: { reason: 'offer', expiresAt, holder: null },
    bookedBy: 'customer',
  })
}
