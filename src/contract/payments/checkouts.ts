import { z } from 'zod'
import { createBookingBody, publicAppointmentSchema } from '#contract/appointments/bookings.ts'
import { idOf, idSchema, instantSchema } from '#contract/shared/primitives.ts'
import { providerName } from './payment-settings.ts'

/** A booking that is paid at once: a booking, and where to pay for it. */
export const createCheckoutBody = createBookingBody.extend({ provider: providerName })
export type CreateCheckoutBody = z.input<typeof createCheckoutBody>

/** What the address of the page for customers who did not pay has (rule B22). */
export const pendingAppointmentQuery = z.object({
  /** The payment that is to be removed with the hold; without it, every one of the appointment. */
  transaction_id: idOf('payment.not_found').optional(),
})
export const createCheckoutResponse = z.object({
  /** The provider's page, where the customer pays. */
  url: z.string(),
  appointment_id: idSchema,
  /** The signed link of the customer's own page, for whoever books: nobody else gets it by the id. Source: rule R6. */
  manage_token: z.string(),
})
export type CreateCheckoutResponse = z.infer<typeof createCheckoutResponse>

/** How a payment stands, for people who have the appointment's id. */
export const paymentOutcome = z.object({
  /**
   * `open`: nothing was paid yet. `processing`: the money is on its way. `paid`: the appointment is confirmed.
   * `refunded`: the payment came too late and goes back. `ended`: the checkout is over and nothing was paid.
   */
  payment: z.enum(['open', 'processing', 'paid', 'refunded', 'ended']),
  /** Null once the time was given back. */
  appointment: publicAppointmentSchema.nullable(),
  calendar_slug: z.string(),
  public_url: z.string(),
  /** Up to three near starts that are still free, when the money goes back. */
  near_times: z.array(instantSchema),
})
export type PaymentOutcome = z.infer<typeof paymentOutcome>
