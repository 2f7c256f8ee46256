import { MAX_UNANSWERED_OFFERS } from '#core/waiting/waiting-states.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { releaseHold } from '#server/records/appointments/hold-repository.ts'
import { lockAppointmentWithHold } from '#server/records/appointments/state-repository.ts'
import { announceVacatedTime, type VacatedTime } from '#server/records/freed-times/use-cases.ts'
import { hasUncheckedCalendar } from '#server/records/slots/external-repository.ts'
import { isStartOffered } from '#server/records/slots/use-cases.ts'
import { findListCalendar } from './calendar-repository.ts'
import type { WaitingListDeps } from './deps.ts'
import { isOverruledByAbsence, listAbsences } from './list-absences.ts'
import {
  type Entry,
  type EntryKey,
  listOpenOffers,
  listUnheldOffers,
  lockEntry,
  lockOffer,
  type Offer,
  updateEntry,
  updateOffer,
} from './repository.ts'

/** Ends an offer whose time is over. One that was answered stays as it is. Source: rule Z6. */
export async function expireOffer(
  deps: Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>,
  { calendarId, offerId }: { readonly calendarId: string; readonly offerId: string },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, calendarId)
    const offer = await lockOffer(trx, { calendarId, id: offerId })
    const now = new Date(deps.now())
    if (offer === null || offer.state !== 'open' || offer.expiresAt > now) return
    await endUnbookedOffer(deps, trx, offer, 'expired')
  })
}

/** Ends the open offers that were made before the owner said that they cannot come then. Source: rule A24. */
export async function withdrawOffersOnAbsences(
  deps: Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>,
  calendarId: string,
): Promise<void> {
  const calendar = await findListCalendar(deps.db, calendarId)
  if (calendar === null) return
  const absences = await listAbsences(deps, calendar)
  if (absences.length === 0) return
  const open = await listOpenOffers(deps.db, calendarId)
  for (const offer of open.filter((one) => isOverruledByAbsence(absences, one)))
    await endOfferIfOpen(deps, offer, 'withdrawn')
}

/**
 * Ends the offers that keep no time, once it is not free any more: those who were told of it are in line for other times again. While the
 * calendar is paused, or an external calendar cannot be checked, no time is offered, and that does not mean that this one is taken.
 * Source: rule Z5.
 */
export async function endTakenOffers(
  deps: Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>,
  calendarId: string,
): Promise<void> {
  const told = await listUnheldOffers(deps.db, calendarId)
  if (told.length === 0 || (await hasUncheckedCalendar(deps.db, { calendarId, nowMs: deps.now() }))) return
  const calendar = await findListCalendar(deps.db, calendarId)
  if (calendar === null || calendar.isPaused) return
  const ofTimes = Map.groupBy(told, ({ typeId, startsAt }) => `${typeId} ${startsAt.getTime()}`)
  for (const offers of ofTimes.values()) {
    const [first] = offers
    if (first === undefined) continue
    const { typeId, startsAt } = first
    if (await isStartOffered(deps, { slug: calendar.slug, typeId, startsAtMs: startsAt.getTime() })) continue
    for (const offer of offers) await endOfferIfOpen(deps, offer, 'taken')
  }
}

/** Ends an offer that nobody answered, in a transaction of its own. One that was answered stays as it is. */
export async function endOfferIfOpen(
  deps: Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>,
  key: EntryKey,
  end: 'withdrawn' | 'taken',
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, key.calendarId)
    const offer = await lockOffer(trx, key)
    if (offer?.state === 'open') await endUnbookedOffer(deps, trx, offer, end)
  })
}

type OfferEnd = 'declined' | 'expired' | 'withdrawn' | 'taken'

/**
 * Ends an open offer without a booking: its time is free again, and its customer waits on. Somebody who left several offers in a
 * row unanswered is taken off the list. Under the lock of the calendar. Source: rule Z7.
 */
export async function endUnbookedOffer(
  deps: Pick<WaitingListDeps, 'now' | 'jobs'>,
  trx: Trx,
  offer: Offer,
  state: OfferEnd,
): Promise<void> {
  const now = new Date(deps.now())
  await updateOffer(trx, offer, { state, endedAt: now })
  const freed = await releaseHeldTime(trx, offer, now)
  const entryKey = { calendarId: offer.calendarId, id: offer.entryId }
  const entry = await lockEntry(trx, entryKey)
  if (entry?.state === 'offered') {
    await returnToList(deps, trx, entry, countUnanswered(entry.unanswered, offer, state))
  }
  await announceVacatedTime(deps, trx, { calendarId: offer.calendarId, id: null, ...freed })
}

/** Gives somebody their place again, unless they left too many offers unanswered or want none any more. Source: rule Z7. */
export async function returnToList(
  deps: Pick<WaitingListDeps, 'now'>,
  trx: Trx,
  entry: Entry,
  unanswered: number,
): Promise<void> {
  const now = new Date(deps.now())
  const end = unanswered >= MAX_UNANSWERED_OFFERS ? 'removed' : entry.validUntil <= now ? 'expired' : null
  await updateEntry(trx, entry, { state: end ?? 'waiting', unanswered, endedAt: end === null ? null : now })
}

/**
 * How many offers in a row somebody has left unanswered. An offer counts only when it expired, its time was held for this customer
 * and its email was sent. An offer that several customers got needs no answer. A declined offer sets the count to 0.
 * Source: rule Z7.
 */
function countUnanswered(before: number, { heldAppointmentId, mailedAt }: Offer, state: OfferEnd): number {
  if (state === 'declined') return 0
  const isMissed = state === 'expired' && heldAppointmentId !== null && mailedAt !== null
  return isMissed ? before + 1 : before
}

/** Gives back what an offer held, unless that has happened already. Returns the time and the exclusive location that it held. */
export async function releaseHeldTime(
  trx: Trx,
  offer: Offer,
  now: Date,
): Promise<Pick<VacatedTime, 'during' | 'conflictLocationId'>> {
  const nothing = { during: null, conflictLocationId: null }
  if (offer.heldAppointmentId === null) return nothing
  const key = { calendarId: offer.calendarId, id: offer.heldAppointmentId }
  const held = await lockAppointmentWithHold(trx, key)
  if (held === null || held.isReleased || held.state.status !== 'pending_payment') return nothing
  await releaseHold(trx, key, now)
  return {
    during: { startMs: held.startsAtMs, endMs: held.endsAtMs },
    conflictLocationId: held.conflictLocationId,
  }
}
