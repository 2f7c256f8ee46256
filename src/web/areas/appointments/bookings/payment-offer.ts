import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicCalendar, PublicPaymentProviders } from '#contract/calendars/calendars.ts'
import type { CreateCheckoutBody } from '#contract/payments/checkouts.ts'

export type Provider = CreateCheckoutBody['provider']

/** How what was chosen can be paid at once. */
export type PaymentOffer = {
  /** One or both. */
  readonly providers: readonly Provider[]
  /** What is to be known before it is paid; null when there is nothing. */
  readonly note: string | null
  /** It cannot be booked without paying at once. */
  readonly isRequired: boolean
}

/** What a type offers for paying at once; null where it costs nothing or nobody collects the money. Source: rule B6. */
export function findOffer(
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
