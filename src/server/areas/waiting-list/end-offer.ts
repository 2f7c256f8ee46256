import { MAX_UNANSWERED_OFFERS } from '#core/waiting-list/waiting-states.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { releaseHold } from '#server/records/appointments/hold-repository.ts'
import { lockAppointmentWithHold } from '#server/records/appointments/state-repository.ts'
import { announceVacatedTime, type VacatedTime } from '#server/records/freed-times/use-cases.ts'
import { hasUncheckedExternalCalendar } from '#server/records/slots/external-repository.ts'
import { isStartOffered } from '#server/records/slots/use-cases.ts'
import { findWaitingListCalendar } from './calendar-repository.ts'
import type { WaitingListDeps } from './deps.ts'
import { isInvalidatedByAbsence, listAbsences } from './list-absences.ts'
import {
  listOffersWithoutHold,
  listOpenOffers,
  lockEntry,
  lockOffer,
  type Offer,
  type StoredWaitingEntry,
  updateEntry,
  updateOffer,
  type WaitingEntryKey,
} from './repository.ts'

/** Ends an offer that has expired. Does nothing if the customer has accepted or declined it. Source: rule Z6. */
export async function expireOffer(
  deps: Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>,
  { calendarId, offerId }: { readonly calendarId: string; readonly offerId: string },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, calendarId)
    const offer = await lockOffer(trx, { calendar_id: calendarId, id: offerId })
    const now = new Date(deps.now())
    if (offer === null || offer.state !== 'open' || offer.expires_at > now) return
    await endUnbookedOffer(deps, trx, offer, 'expired')
  })
}

/**
 * Withdraws the open offers for days on which the owner is away, if they were made before the owner announced the absence.
 * Source: rule A24.
 */
export async function withdrawOffersOnAbsences(
  deps: Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>,
  calendarId: string,
): Promise<void> {
  const calendar = await findWaitingListCalendar(deps.db, calendarId)
  if (calendar === null) return
  const absences = await listAbsences(deps, calendar)
  if (absences.length === 0) return
  const open = await listOpenOffers(deps.db, calendarId)
  for (const offer of open.filter((one) => isInvalidatedByAbsence(absences, one)))
    await endOpenOffer(deps, offer, 'withdrawn')
}

/**
 * Ends the offers without a hold whose time has been taken; their customers wait for other times again. Does nothing
 * while the calendar is paused or an external calendar cannot be checked: then customers are offered no times at all,
 * which does not mean that these times are taken. Source: rule Z5.
 */
export async function endOffersOfTakenTimes(
  deps: Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>,
  calendarId: string,
): Promise<void> {
  const told = await listOffersWithoutHold(deps.db, calendarId)
  if (told.length === 0 || (await hasUncheckedExternalCalendar(deps.db, { calendarId, nowMs: deps.now() })))
    return
  const calendar = await findWaitingListCalendar(deps.db, calendarId)
  if (calendar === null || calendar.is_paused) return
  const ofTimes = Map.groupBy(
    told,
    ({ appointment_type_id: typeId, starts_at: startsAt }) => `${typeId} ${startsAt.getTime()}`,
  )
  for (const offers of ofTimes.values()) {
    const [first] = offers
    if (first === undefined) continue
    const { appointment_type_id: typeId, starts_at: startsAt } = first
    if (await isStartOffered(deps, { slug: calendar.slug, typeId, startsAtMs: startsAt.getTime() })) continue
    for (const offer of offers) await endOpenOffer(deps, offer, 'taken')
  }
}

/** Ends an offer in its own transaction. Does nothing if the customer has accepted or declined it. */
export async function endOpenOffer(
  deps: Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>,
  key: WaitingEntryKey,
  end: 'withdrawn' | 'taken',
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, key.calendar_id)
    const offer = await lockOffer(trx, key)
    if (offer?.state === 'open') await endUnbookedOffer(deps, trx, offer, end)
  })
}

type OfferEnd = 'declined' | 'expired' | 'withdrawn' | 'taken'

/**
 * Ends an open offer without a booking: its time is free again, and its customer keeps waiting. A customer who has ignored
 * several offers in a row is removed from the list. The caller has locked the calendar. Source: rule Z7.
 */
export async function endUnbookedOffer(
  deps: Pick<WaitingListDeps, 'now' | 'jobs'>,
  trx: Trx,
  offer: Offer,
  state: OfferEnd,
): Promise<void> {
  const now = new Date(deps.now())
  await updateOffer(trx, offer, { state, ended_at: now })
  const freed = await releaseOfferHold(trx, offer, now)
  const entryKey = { calendar_id: offer.calendar_id, id: offer.entry_id }
  const entry = await lockEntry(trx, entryKey)
  if (entry?.state === 'offered') {
    await returnToWaitingList(deps, trx, entry, countUnanswered(entry.unanswered, offer, state))
  }
  await announceVacatedTime(deps, trx, { calendarId: offer.calendar_id, id: null, ...freed })
}

/**
 * Puts a customer back on the list with their old place, unless they have ignored too many offers or their last day for offers
 * has passed. Source: rule Z7.
 */
export async function returnToWaitingList(
  deps: Pick<WaitingListDeps, 'now'>,
  trx: Trx,
  entry: StoredWaitingEntry,
  unanswered: number,
): Promise<void> {
  const now = new Date(deps.now())
  const end = unanswered >= MAX_UNANSWERED_OFFERS ? 'removed' : entry.valid_until <= now ? 'expired' : null
  await updateEntry(trx, entry, { state: end ?? 'waiting', unanswered, ended_at: end === null ? null : now })
}

/**
 * Counts how many offers in a row a customer has ignored. An offer counts only if it expired, its time was held for
 * this customer and its email was sent. An offer that several customers got needs no response. Declining an offer
 * resets the count to
 * 0. Source: rule Z7.
 */
function countUnanswered(
  before: number,
  { held_appointment_id: heldAppointmentId, mailed_at: mailedAt }: Offer,
  state: OfferEnd,
): number {
  if (state === 'declined') return 0
  const isMissed = state === 'expired' && heldAppointmentId !== null && mailedAt !== null
  return isMissed ? before + 1 : before
}

/**
 * Releases the time that an offer holds, unless it has already been released. Returns the time and the exclusive
 * location that are now free.
 */
export async function releaseOfferHold(
  trx: Trx,
  offer: Offer,
  now: Date,
): Promise<Pick<VacatedTime, 'during' | 'conflictLocationId'>> {
  const nothing = { during: null, conflictLocationId: null }
  if (offer.held_appointment_id === null) return nothing
  const key = { calendarId: offer.calendar_id, id: offer.held_appointment_id }
  const held = await lockAppointmentWithHold(trx, key)
  if (held === null || held.isReleased || held.state.status !== 'pending_payment') return nothing
  await releaseHold(trx, key, now)
  return {
    during: held.occupied,
    conflictLocationId: held.conflictLocationId,
  }
}
