import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicCalendar, PublicPaymentProviders } from '#contract/calendars/calendars.ts'
import type { CreateCheckoutBody } from '#contract/payments/checkouts.ts'
import { type BookingDraft, findDraftSeries } from './booking-draft.ts'

export type PaymentProviderName = CreateCheckoutBody['provider']

/** The ways to pay for the chosen service online. */
export type OnlinePaymentOptions = {
  /** The providers to pay through: at least one. */
  readonly providers: readonly PaymentProviderName[]
  /** A note to show before the payment; null if there is none. */
  readonly note: string | null
  /** True if customers have to pay online in order to book. */
  readonly isRequired: boolean
}

/**
 * Finds the ways to pay for a type online; null if it is free, no provider is connected, or the draft is a series, which is paid
 * later. Source: rules B6 and B48.
 */
export function findOnlinePaymentOptions(
  calendar: PublicCalendar,
  type: PublicAppointmentType | null,
  { stripe_connected, paypal_connected, note }: PublicPaymentProviders,
  draft: BookingDraft,
): OnlinePaymentOptions | null {
  if (!type?.price || !(stripe_connected || paypal_connected) || findDraftSeries(draft)) return null
  return {
    providers: [
      ...(stripe_connected ? ['stripe' as const] : []),
      ...(paypal_connected ? ['paypal' as const] : []),
    ],
    note,
    isRequired: calendar.payment_required || type.payment_required,
  }
}
