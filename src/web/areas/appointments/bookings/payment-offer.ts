import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicCalendar, PublicPaymentProviders } from '#contract/calendars/calendars.ts'
import type { CreateCheckoutBody } from '#contract/payments/checkouts.ts'

export type Provider = CreateCheckoutBody['provider']

/** The ways to pay for the chosen service online. */
export type PaymentOffer = {
  /** One or both. */
  readonly providers: readonly Provider[]
  /** A note to show before the payment, or null. */
  readonly note: string | null
  /** Paying online is required to book. */
  readonly isRequired: boolean
}

/** Finds the online payment offer of a type; null if it is free or no provider is connected. Source: rule B6. */
export function findPaymentOffer(
  calendar: PublicCalendar,
  type: PublicAppointmentType | null,
  { stripe_connected, paypal_connected, note }: PublicPaymentProviders,
): PaymentOffer | null {
  if (!type?.price || !(stripe_connected || paypal_connected)) return null
  return {
    providers: [
      ...(stripe_connected ? ['stripe' as const] : []),
      ...(paypal_connected ? ['paypal' as const] : []),
    ],
    note,
    isRequired: calendar.payment_required || type.payment_required,
  }
}
