import { MOST_UNANSWERED } from '#core/waiting/waiting-states.ts'
import { releaseHold } from '#server/features/appointments/hold-repository.ts'
import { lockAwaitedAppointment } from '#server/features/appointments/state-repository.ts'
import { lockBookableCalendar } from '#server/features/bookings/repository.ts'
import { announceFreedTime } from '#server/features/freed-times/use-cases.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import type { WaitingListDeps } from './deps.ts'
import { lockEntry, lockOffer, type Offer, updateEntry, updateOffer } from './repository.ts'

/** Ends an offer whose time is over. One that was answered stays as it is. Source: rule Z6. */
export async function endOffer(
  deps: Pick<WaitingListDeps, 'db' | 'now' | 'jobs'>,
  { calendarId, offerId }: { readonly calendarId: string; readonly offerId: string },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, calendarId)
    const offer = await lockOffer(trx, { calendarId, id: offerId })
    const now = new Date(deps.now())
    if (offer === null || offer.state !== 'open' || offer.expiresAt > now) return
    await giveBack(deps, trx, offer, 'expired')
  })
}

/**
 * Ends an open offer without a booking: its time is free again, and its customer waits on. Somebody who left several offers in a
 * row unanswered is taken off the list. Under the lock of the calendar. Source: rule Z7.
 */
export async function giveBack(
  deps: Pick<WaitingListDeps, 'now' | 'jobs'>,
  trx: Trx,
  offer: Offer,
  state: 'declined' | 'expired' | 'withdrawn',
): Promise<void> {
  const now = new Date(deps.now())
  await updateOffer(trx, offer, { state, endedAt: now })
  await freeHeldTime(trx, offer, now)
  const entryKey = { calendarId: offer.calendarId, id: offer.entryId }
  const entry = await lockEntry(trx, entryKey)
  if (entry?.state === 'offered') {
    const unanswered =
      state === 'expired' ? entry.unanswered + 1 : state === 'declined' ? 0 : entry.unanswered
    const end = unanswered >= MOST_UNANSWERED ? 'removed' : entry.validUntil <= now ? 'expired' : null
    await updateEntry(
      trx,
      entryKey,
      end === null ? { state: 'waiting', unanswered } : { state: end, unanswered, endedAt: now },
    )
  }
  await announceFreedTime(deps, trx, offer.calendarId)
}

/** Gives back what an offer held, unless that has happened already. */
export async function freeHeldTime(trx: Trx, offer: Offer, now: Date): Promise<void> {
  if (offer.heldAppointmentId === null) return
  const key = { calendarId: offer.calendarId, id: offer.heldAppointmentId }
  const held = await lockAwaitedAppointment(trx, key)
  if (held === null || held.isReleased || held.state.status !== 'pending_payment') return
  await releaseHold(trx, key, now)
}
