import { SANDBOX_NOTE } from '#core/booking/provider-words.ts'
import { LOCALE } from '#core/shared/locale.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import type { MailBrand } from '#server/records/branding/mail-brand.ts'
import { toIsolatedName, toSingleLine } from './typed-text.ts'

/** Everything a message about one appointment needs to say. JSON-serialisable, so that it can travel in a job. */
export type AppointmentMailContent = {
  readonly appointmentId: string
  readonly bookingReference: string
  /** How often the appointment was changed in a way that calendars must hear of (RFC 5545 SEQUENCE). */
  readonly sequence: number
  /** Instants, RFC 3339. */
  readonly startsAt: string
  readonly endsAt: string
  /** The start before it was last moved; null, or absent in a job of an earlier version, when it was never moved. */
  readonly movedFrom?: string | null
  /** The calendar's zone, and the visitor's where it is known. */
  readonly timeZone: string
  readonly customerTimeZone: string | null
  /** The zones of all calendars of the owner; absent in a job of an earlier version. */
  readonly ownerZones?: readonly string[]
  /** Who typed the customer's name, number and notes. */
  readonly bookedBy: 'customer' | 'owner'
  readonly title: string
  /** The title comes from the owner: the name of the type, or the calendar's template. */
  readonly isOwnersTitle: boolean
  /** The customer's notes. */
  readonly description: string | null
  /** A customer who phoned may have given no address; then there are no messages to them. */
  readonly customer: { readonly name: string; readonly email: string | null; readonly phone: string | null }
  readonly owner: { readonly name: string; readonly email: string }
  readonly calendar: {
    readonly name: string
    readonly color: string
    readonly professionalName: string | null
    readonly slug: string
    /** Absent where no look is shown. Source: rule K10. */
    readonly brand?: MailBrand | null
  }
  readonly typeName: string | null
  /** Minor units of `currency`; null when the appointment has no price. */
  readonly priceCents: number | null
  readonly currency: string
  readonly paymentStatus: 'not_required' | 'pending' | 'paid' | 'failed' | 'refunded'
  /** What it is paid by, or was until it went back, is no real money. */
  readonly paidInSandbox: boolean
  /** What the customer may change about it; absent in a job of an earlier version, null for a booking of one. */
  readonly policyText?: string | null
  /** Of a cancellation: who made it, and what it gives back in minor units; null when nothing was decided. */
  readonly cancelledBy?: 'customer' | 'owner' | null
  readonly refundDueCents?: number | null
  readonly isOnline: boolean
  readonly location: { readonly name: string; readonly address: string | null } | null
  readonly cancelUrl: string
  /** The customer may cancel without asking, for a while at least. Source: rule Q4. */
  readonly cancelsAlone?: boolean
  /** The customer's confirmation page. */
  readonly manageUrl: string
  /** Where the owner sees the appointment. */
  readonly ownerUrl: string
  /**
   * The page where the reader of the address can stop emails about appointments; null in messages that are not sent.
   */
  readonly stopUrl: string | null
  /** What confirms the customer's email address; only in the message that sends it. */
  readonly emailCode?: string
  /** How much later it begins; only in the message that says so. */
  readonly lateMinutes?: number
  /** What the owner wrote to all customers of some days; only in the messages about that. */
  readonly ownerNote?: string
  /** Instants, RFC 3339; only in the message that offers them. */
  readonly offeredTimes?: readonly string[]
  /** How many more future appointments there are; only in the message to another address. */
  readonly otherAppointments?: number
  /** When it began as far as the reader knows (RFC 3339), where they were not told of a move; only in the messages that say so. */
  readonly knownStartsAt?: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** The name that the customer booked, for a sentence: the professional where the calendar names one, else the calendar. */
export function professionalOf({
  calendar,
}: {
  readonly calendar: Pick<AppointmentMailContent['calendar'], 'name' | 'professionalName'>
}): string {
  return toIsolatedName(calendar.professionalName ?? '') || toIsolatedName(calendar.name)
}

/**
 * The address for messages to the customer.
 * @throws Error when there is none: the sender has to check before
 */
export function getCustomerAddress({ appointmentId, customer }: AppointmentMailContent): string {
  if (customer.email === null) throw new Error(`The customer of ${appointmentId} has no address`)
  return customer.email
}

/** The zone a customer reads times in: their own where it is known, else the calendar's. Source: rule T22. */
export function customerZoneOf({ customerTimeZone, timeZone }: AppointmentMailContent): string {
  return customerTimeZone !== null && isTimeZone(customerTimeZone) ? customerTimeZone : timeZone
}

/** The location, line by line; null when none was given. */
export function locationOf({ isOnline, location }: AppointmentMailContent): string[] | null {
  if (isOnline) return ['Online']
  if (location === null) return null
  return [toSingleLine(location.name), toSingleLine(location.address ?? '')].filter((line) => line !== '')
}

const PAYMENT_NOTES = {
  not_required: null,
  pending: 'Payment will be handled manually.',
  paid: 'Paid',
  failed: 'The payment did not go through.',
  refunded: 'Refunded',
} as const satisfies Record<AppointmentMailContent['paymentStatus'], string | null>

/** The price and the state of its payment; null when there is nothing to pay. Source: rule F12. */
export function priceOf(facts: AppointmentMailContent): string[] | null {
  const { priceCents, currency, paymentStatus, paidInSandbox } = facts
  if (priceCents === null || priceCents === 0) return null
  const note = PAYMENT_NOTES[paymentStatus]
  return [
    formatPrice(priceCents, currency),
    ...(note === null ? [] : [note]),
    ...(paidInSandbox ? [SANDBOX_NOTE] : []),
  ]
}

/** Symbols that the product shows; any other currency is shown as euro (rule F12). */
const CURRENCIES = new Set(['EUR', 'USD', 'GBP'])

/** `€40.00` */
export function formatPrice(priceCents: number, currency: string): string {
  const code = currency.toUpperCase()
  const style = { style: 'currency', currency: CURRENCIES.has(code) ? code : 'EUR' } as const
  return new Intl.NumberFormat(LOCALE, style).format(priceCents / 100)
}
