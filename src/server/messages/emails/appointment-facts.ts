import { SANDBOX_LABEL } from '#core/payments/provider-names.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { LOCALE } from '#core/shared/locale.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import type { Clock } from '#server/records/appointments/appointment-time.ts'
import type { MailBranding } from '#server/records/branding/to-branding.ts'
import { toIsolatedName, toSingleLine } from './entered-text.ts'

/** All data for emails about one appointment. They can be stored as JSON in a job. */
export type AppointmentMailContent = {
  readonly appointmentId: string
  readonly bookingReference: string
  /** The number of changes that calendar programs must know about (RFC 5545 SEQUENCE). */
  readonly sequence: number
  /** The start and end, as instants in RFC 3339. */
  readonly startsAt: string
  readonly endsAt: string
  /** The start before the last move. Null if the appointment was never moved; absent in a job of an earlier version. */
  readonly movedFrom?: string | null
  /** The calendar's time zone, and the customer's if it is known. */
  readonly timeZone: string
  readonly customerTimeZone: string | null
  /** Absent in a job of an earlier version. */
  readonly hourCycle?: HourCycle
  /** The time zones of all of the owner's calendars; absent in a job of an earlier version. */
  readonly ownerZones?: readonly string[]
  /** The side that entered the customer's name, phone number and notes. */
  readonly bookedBy: 'customer' | 'owner'
  readonly title: string
  /** True when the title comes from the owner, as the name of the type or from the calendar's template. */
  readonly isOwnersTitle: boolean
  /** The customer's notes. */
  readonly description: string | null
  /** The customer. One who booked by phone may have no email address, and then gets no emails. */
  readonly customer: { readonly name: string; readonly email: string | null; readonly phone: string | null }
  readonly owner: { readonly name: string; readonly email: string }
  readonly calendar: {
    readonly name: string
    readonly color: string
    readonly professionalName: string | null
    readonly slug: string
    /** The branding to show; absent if none is shown. Source: rule K10. */
    readonly brand?: MailBranding | null
  }
  readonly typeName: string | null
  /** The price in minor units of `currency`; null when the appointment has no price. */
  readonly priceCents: number | null
  /** Text in place of a price, written by the owner. Absent in a job of an earlier version. */
  readonly feeNote?: string | null
  readonly currency: string
  readonly paymentStatus: 'not_required' | 'pending' | 'paid' | 'failed' | 'refunded'
  /** True when the payment, refunded or not, was made in the provider's test mode. */
  readonly paidInSandbox: boolean
  /**
   * The changes that the customer can make. Absent in a job of an earlier version; null for appointments booked by such
   * a version.
   */
  readonly policyText?: string | null
  /** Who cancelled, and the refund in minor units; set for a cancellation. The refund is null when none was decided. */
  readonly cancelledBy?: 'customer' | 'owner' | null
  readonly refundDueCents?: number | null
  readonly isOnline: boolean
  readonly location: { readonly name: string; readonly address: string | null } | null
  readonly cancelUrl: string
  /** True if the customer can cancel without the owner's approval, even if only until a deadline. Source: rule Q4. */
  readonly cancelsAlone?: boolean
  /** URL of the customer's confirmation page. */
  readonly manageUrl: string
  /** True if the customer can move the appointment, even if only until a deadline. Source: rule Q3. */
  readonly movesAlone?: boolean
  /** URL that downloads the calendar file; absent when the email has no signed link. */
  readonly calendarFileUrl?: string
  /** URL of the page where the owner sees the appointment. */
  readonly ownerUrl: string
  /** URL of the page where the reader can unsubscribe; null in messages that are not sent. */
  readonly stopUrl: string | null
  /** The code that confirms the customer's email address; only in the message that sends it. */
  readonly emailCode?: string
  /** How many minutes late the appointment starts; only in the message about it. */
  readonly lateMinutes?: number
  /** The message that the owner wrote to all customers of certain days; only in emails that contain it. */
  readonly ownerNote?: string
  /** The other dates of a series, in order; only in a message about several dates. Source: rule B43. */
  readonly otherDates?: readonly AppointmentMailContent[]
  /** The offered times (RFC 3339); only in the message that offers them. */
  readonly offeredTimes?: readonly string[]
  /** The number of other future appointments; only in the message to a new address. */
  readonly otherAppointments?: number
  /**
   * The start that the reader was last told, if they were not notified of a later move. Only in messages that mention
   * it (RFC 3339).
   */
  readonly knownStartsAt?: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** Returns the name to use in sentences: the professional's if the calendar has one, otherwise the calendar's. */
export function getProfessionalName({
  calendar,
}: {
  readonly calendar: Pick<AppointmentMailContent['calendar'], 'name' | 'professionalName'>
}): string {
  return toIsolatedName(calendar.professionalName ?? '') || toIsolatedName(calendar.name)
}

/**
 * Returns the address for messages to the customer.
 * @throws Error when there is none; the caller has to check first
 */
export function getCustomerAddress({ appointmentId, customer }: AppointmentMailContent): string {
  if (customer.email === null) throw new Error(`The customer of ${appointmentId} has no address`)
  return customer.email
}

/**
 * Returns the time zone in which times are shown to a customer: the customer's own if it is known, otherwise the
 * calendar's. Source: rule T22.
 */
export function getCustomerTimeZone({ customerTimeZone, timeZone }: AppointmentMailContent): string {
  return customerTimeZone !== null && isTimeZone(customerTimeZone) ? customerTimeZone : timeZone
}

/** Returns the clock on which times are shown to a customer. */
export function getCustomerClock(facts: AppointmentMailContent): Clock {
  return { timeZone: getCustomerTimeZone(facts), hourCycle: facts.hourCycle }
}

/** Returns the lines of the location; null when there is none. */
export function describeLocation({ isOnline, location }: AppointmentMailContent): string[] | null {
  if (isOnline) return ['Online']
  if (location === null) return null
  return [toSingleLine(location.name), toSingleLine(location.address ?? '')].filter((line) => line !== '')
}

const PAYMENT_NOTES = {
  not_required: null,
  pending: 'Payment will be handled manually.',
  paid: 'Paid',
  failed: 'The payment didn’t go through.',
  refunded: 'Refunded',
} as const satisfies Record<AppointmentMailContent['paymentStatus'], string | null>

/**
 * Returns the price and payment status, or the fee note; null when there is nothing to pay. Source: rules F12 and C19.
 */
export function findPriceText(facts: AppointmentMailContent): string[] | null {
  const { priceCents, feeNote, currency, paymentStatus, paidInSandbox } = facts
  if (priceCents === null && feeNote) return [toSingleLine(feeNote)]
  if (priceCents === null || priceCents === 0) return null
  const note = PAYMENT_NOTES[paymentStatus]
  return [
    formatPrice(priceCents, currency),
    ...(note === null ? [] : [note]),
    ...(paidInSandbox ? [SANDBOX_LABEL] : []),
  ]
}

/** Currencies that are shown with their symbol; any other is shown as euro (rule F12). */
const CURRENCIES = new Set(['EUR', 'USD', 'GBP'])

/** Formats a price: `€40.00`. */
export function formatPrice(priceCents: number, currency: string): string {
  const code = currency.toUpperCase()
  const style = { style: 'currency', currency: CURRENCIES.has(code) ? code : 'EUR' } as const
  return new Intl.NumberFormat(LOCALE, style).format(priceCents / 100)
}
