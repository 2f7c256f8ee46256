import { keepEmbedded } from '#web/shared/keep-embedded.ts'
import type { BookingDraft, ZoneChoice } from './booking-draft.ts'

/** What the page knows of a booking and the server does not tell those who have its link. */
export type KeptBooking = {
  /** Where the confirmation went, or the code. */
  readonly email: string
  /** The clock on which the time was chosen; null when it was not chosen on this page. */
  readonly zone: ZoneChoice | null
  /** The signed link of the customer's page, which only whoever books is told; absent where it is not known. */
  readonly link?: string | null | undefined
  /** The form that was sent, kept while the booking waits for a code, so that the customer can correct it. */
  readonly form?: LeftForm | null | undefined
}

/** What was chosen and typed, and the path of its page. */
type LeftForm = { readonly path: string; readonly draft: BookingDraft }

/**
 * Gives this page the address of the confirmation, and keeps what it knows there for a reload. It is kept with this entry
 * of the history of this tab alone. Source: rule B31.
 */
export function keepBooking(path: string, { email, zone, link, form }: KeptBooking): void {
  const booking: KeptBooking = { email, zone, link, form }
  history.replaceState({ booking }, '', keepEmbedded(path))
}

/** What was kept with this entry of the history, or null. */
export function readKeptBooking(): KeptBooking | null {
  const state = history.state as { booking?: KeptBooking } | null // only `keepBooking` writes it on these pages
  return state?.booking ?? null
}
