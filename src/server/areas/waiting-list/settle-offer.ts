import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { lockAppointmentWithHold } from '#server/records/appointments/state-repository.ts'
import type { WaitingListDeps } from './deps.ts'
import { endUnbookedOffer, returnToList } from './end-offer.ts'
import { type EntryKey, lockEntry, lockOffer, lockOpenOffer, updateEntry, updateOffer } from './repository.ts'

type SettlingDeps = Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>

/**
 * Settles an accepted offer after its payment did not come in time, or came after that. The payment is decided about elsewhere, under
 * the same lock of the calendar: here only the list follows it. Done twice it changes nothing. Source: rule Z12.
 */
export async function settleOffer(deps: SettlingDeps, key: EntryKey): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, key.calendarId)
    const offer = await lockOffer(trx, key)
    const bookedId = offer?.bookedAppointmentId ?? null
    if (offer === null || bookedId === null) return
    const booked = await lockAppointmentWithHold(trx, { calendarId: key.calendarId, id: bookedId })
    const entryKey = { calendarId: offer.calendarId, id: offer.entryId }
    if (offer.state === 'accepted' && booked?.state.status === 'pending_payment' && booked.isReleased) {
      await updateOffer(trx, offer, { state: 'unpaid', endedAt: new Date(deps.now()) })
      await takeBack(deps, trx, entryKey)
    }
    if (offer.state === 'unpaid' && booked?.state.status === 'confirmed') {
      await updateOffer(trx, offer, { state: 'accepted', endedAt: new Date(deps.now()) })
      await leaveForBooking(deps, trx, entryKey)
    }
  })
}

/** Whoever did not pay has their place again. It counts like an offer that was not answered. */
async function takeBack(deps: SettlingDeps, trx: Trx, key: EntryKey): Promise<void> {
  const entry = await lockEntry(trx, key)
  if (entry?.state === 'accepted') await returnToList(deps, trx, entry, entry.unanswered + 1)
}

/** Whoever paid after all has what they waited for. What was offered to them meanwhile goes to the next one. */
async function leaveForBooking(deps: SettlingDeps, trx: Trx, key: EntryKey): Promise<void> {
  const entry = await lockEntry(trx, key)
  if (entry?.state !== 'waiting' && entry?.state !== 'offered') return
  const open = await lockOpenOffer(trx, key)
  await updateEntry(trx, key, { state: 'accepted', endedAt: new Date(deps.now()) })
  if (open !== null) await endUnbookedOffer(deps, trx, open, 'withdrawn')
}
