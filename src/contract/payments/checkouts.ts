import { z } from 'zod'
import { createBookingBody, publicAppointmentSchema } from '#contract/appointments/bookings.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { hourCycleSchema, idSchema, idSchemaWithError, instantSchema } from '#contract/shared/primitives.ts'
import { providerName } from './payment-settings.ts'

/** A booking that is paid immediately, and its payment provider. A series is paid later. */
export const createCheckoutBody = createBookingBody
  .omit({ series: true })
  .extend({ provider: providerName })
  .meta({ id: 'NewCheckout' })
export type CreateCheckoutBody = z.input<typeof createCheckoutBody>

/** The query parameters of the page that customers see after they cancel the payment (rule B22). */
export const cancelledPaymentQuery = z.object({
  /** The payment to remove together with the hold; when absent, all payments of the appointment are removed. */
  transaction_id: idSchemaWithError('payment.not_found').optional(),
})
export const createCheckoutResponse = componentSchema('Checkout', {
  /** The URL of the provider's payment page. */
  url: z.string(),
  appointment_id: idSchema,
  /** The token of the customer's page. Only the customer who books receives it, in this response. Source: rule R6. */
  manage_token: z.string(),
})
export type CreateCheckoutResponse = z.infer<typeof createCheckoutResponse>

/** The state of a payment, which anyone with the appointment's id can see. */
export const paymentStateResponse = componentSchema('PaymentOutcome', {
  /**
   * `open`: not paid yet. `processing`: the payment is pending at the provider. `paid`: the appointment is confirmed. `refunded`:
   * the payment arrived too late and is refunded. `ended`: the checkout has expired without a payment.
   */
  payment: z.enum(['open', 'processing', 'paid', 'refunded', 'ended']),
  /** Null once the hold has been released. */
  appointment: publicAppointmentSchema.nullable(),
  calendar_slug: z.string(),
  public_url: z.string(),
  /** Up to three available times near the lost one, when the payment is refunded. */
  near_times: z.array(instantSchema),
  hour_cycle: hourCycleSchema,
})
export type PaymentState = z.infer<typeof paymentStateResponse>
