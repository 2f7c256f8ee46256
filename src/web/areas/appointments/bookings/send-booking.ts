import type { CreateBookingBody, CreateBookingResponse } from '#contract/appointments/bookings.ts'
import type { BookingDraft } from './booking-draft.ts'

/** Sends what is in the form. Resolves to null when nothing is booked yet. */
export type SendBooking = (
  body: CreateBookingBody,
  draft: BookingDraft,
) => Promise<CreateBookingResponse | null>
