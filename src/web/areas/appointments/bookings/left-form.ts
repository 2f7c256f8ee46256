import { keepEmbedded } from '#web/shared/keep-embedded.ts'
import type { BookingDraft } from './booking-draft.ts'
import type { KeptBooking } from './kept-booking.ts'

/** Opens the booking page again with this draft in its form. */
export function returnToForm({ path, draft }: { path: string; draft: BookingDraft }): void {
  history.replaceState({ draft }, '', keepEmbedded(path))
  location.reload()
}

/** The booking counts, so its form is not needed any longer. */
export function forgetForm({ email, zone, link }: KeptBooking): void {
  history.replaceState({ booking: { email, zone, link } satisfies KeptBooking }, '')
}
