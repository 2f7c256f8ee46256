import type { CreateBookingResponse } from '#contract/appointments/bookings.ts'
import { withEmbedParam } from '#web/shared/embedding.ts'
import type { BookingDraft, ZoneKind } from './booking-draft.ts'

/** Booking details stored in this tab, because the server does not reveal them to everybody with the link. */
export type SavedBooking = {
  /** The email address to which the confirmation or the code was sent. */
  readonly email: string
  /** The time zone in which the customer chose the time; null if they did not choose it on this page. */
  readonly zone: ZoneKind | null
  /** The token of the customer's page, which the server sends only to the person who books. Absent if unknown. */
  readonly link?: string | null | undefined
  /** The further dates of a series. */
  readonly further?: CreateBookingResponse['further_dates'] | undefined
  /** The submitted form, stored while the booking awaits an email code, so that the customer can correct the form. */
  readonly form?: DraftBeforePayment | null | undefined
}

/** A draft, and the path of its booking page. */
export type DraftBeforePayment = { readonly path: string; readonly draft: BookingDraft }

/**
 * Replaces the URL with the confirmation's, and saves the booking in this browser history entry, so that a reload can
 * read it. Other tabs and history entries cannot. Source: rule B31.
 */
export function saveBooking(path: string, { email, zone, link, further, form }: SavedBooking): void {
  const booking: SavedBooking = { email, zone, link, further, form }
  history.replaceState({ booking }, '', withEmbedParam(path))
}

/** Reads the booking stored in this browser history entry; null if there is none. */
export function readSavedBooking(): SavedBooking | null {
  const state = history.state as { booking?: SavedBooking } | null // safe: on these pages only `saveBooking` writes it
  return state?.booking ?? null
}
