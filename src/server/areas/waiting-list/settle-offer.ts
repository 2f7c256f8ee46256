import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { lockAppointmentWithHold } from '#server/records/appointments/state-repository.ts'
import type { WaitingListDeps } from './deps.ts'
import { endUnbookedOffer, returnToList } from './end-offer.ts'
import { type EntryKey, lockEntry, lockOffer, lockOpenOffer, updateEntry, updateOffer } from './repository.ts'

type SettlingDeps = Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>

/**
 * Updates the list after the payment of an accepted offer missed its deadline, or arrived late. The payment itself is decided
 * elsewhere, under the same calendar lock. Idempotent. Source: rule Z12.
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

/** Puts a customer who did not pay back on the list. This counts as one ignored offer. */
async function takeBack(deps: SettlingDeps, trx: Trx, key: EntryKey): Promise<void> {
  const entry = await lockEntry(trx, key)
  if (entry?.state === 'accepted') await returnToList(deps, trx, entry, entry.unanswered + 1)
}

/**
 * Takes a customer who paid late off the list as booked. If they were offered another time in the meantime, it goes to the next
 * customer.
 */
async function leaveForBooking(deps: SettlingDeps, trx: Trx, key: EntryKey): Promise<void> {
  const entry = await lockEntry(trx, key)
  if (entry?.state !== 'waiting' && entry?.state !== 'offered') return
  const open = await lockOpenOffer(trx, key)
  await updateEntry(trx, key, { state: 'accepted', endedAt: new Date(deps.now()) })
  if (open !== null) await endUnbookedOffer(deps, trx, open, 'withdrawn')
}
