import { withEmbedParam } from '#web/shared/embedding.ts'
import type { BookingDraft, ZoneChoice } from './booking-draft.ts'

/** Details of a booking that are kept in this tab, because the server does not reveal them to everybody with the link. */
export type SavedBooking = {
  /** The address to which the confirmation or the code was sent. */
  readonly email: string
  /** The zone in which the time was chosen; null if it was not chosen on this page. */
  readonly zone: ZoneChoice | null
  /** The token of the customer's page, which the server sends only to the person who books. Absent if not known. */
  readonly link?: string | null | undefined
  /** The submitted form, kept while the booking waits for an email code, so that the customer can correct it. */
  readonly form?: LeftForm | null | undefined
}

/** A draft, and the path of its booking page. */
export type LeftForm = { readonly path: string; readonly draft: BookingDraft }

/**
 * Replaces the address with that of the confirmation, and saves the booking in this history entry, so that a reload still
 * knows it. Other tabs and entries do not. Source: rule B31.
 */
export function saveBooking(path: string, { email, zone, link, form }: SavedBooking): void {
  const booking: SavedBooking = { email, zone, link, form }
  history.replaceState({ booking }, '', withEmbedParam(path))
}

/** Reads the booking of this history entry, or null. */
export function readSavedBooking(): SavedBooking | null {
  const state = history.state as { booking?: SavedBooking } | null // only `saveBooking` writes it on these pages
  return state?.booking ?? null
}
