import { PROVIDER_NAMES, SANDBOX_LABEL } from '#core/payments/provider-names.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import {
  type Clock,
  describeAppointmentTime,
  formatAppointmentTime,
} from '#server/records/appointments/appointment-time.ts'
import { formatPrice } from './appointment-facts.ts'
import { toIsolatedName, toSingleLine } from './entered-text.ts'
import { countUnlisted, type MailDetail } from './mail-document.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

/** A payment that was unfinished when its calendar was deleted. */
export type UnfinishedPayment = {
  /**
   * `unanswered`: the payment may have been received. `owed`: it was late or duplicate and has to be refunded.
   * `cancelled`: its appointment was cancelled, and the amount has to be refunded.
   */
  readonly state: 'unanswered' | 'owed' | 'cancelled'
  readonly provider: keyof typeof PROVIDER_NAMES
  /** The provider's id of the payment, or of the checkout if there is no payment yet. */
  readonly nameAtProvider: string | null
  /** The amount in minor units of `currency`. */
  readonly amountCents: number
  readonly currency: string
  readonly isSandbox: boolean
  /** The provider's reason why the payment was not refunded. */
  readonly reason: string | null
  /** The appointment; null when it is no longer stored. Instants are in RFC 3339. */
  readonly appointment: {
    readonly customerName: string
    readonly customerEmail: string | null
    readonly bookingReference: string
    readonly startsAt: string
    readonly endsAt: string
  } | null
}

/** The unfinished payments of a calendar. They are stored as JSON in a job, because the calendar is deleted. */
export type UnfinishedPayments = {
  readonly owner: { readonly name: string; readonly email: string }
  readonly calendar: Clock & { readonly id: string; readonly name: string; readonly color: string }
  readonly payments: readonly UnfinishedPayment[]
}

/** Maximum number of payments that are listed one by one; the rest is only counted. */
const LISTED = 50

/** Tells the owner of a deleted calendar about payments that now only the owner can complete. Source: rule P16. */
export function buildUnfinishedPayments(
  { owner, calendar, payments }: UnfinishedPayments,
  origin: MailOrigin,
): OutgoingMail {
  const name = toIsolatedName(calendar.name)
  return toMailFromInstallation(
    {
      idParts: [calendar.id, 'money-left'],
      to: { name: owner.name, address: owner.email },
      calendar: { name, color: calendar.color },
      about: name,
      heading: 'Please check these payments',
      preview: `Some payments for ${name} were still in progress when you deleted it.`,
      blocks: [
        {
          kind: 'paragraph',
          text: `You deleted your calendar ${name} while the payments below were still in progress. Your customers have no appointments for them. Please check your account at the payment provider, and refund any payment that arrived and hasn’t been refunded.`,
        },
        { kind: 'facts', facts: payments.slice(0, LISTED).map((left) => toFact(left, calendar)) },
        ...countUnlisted(payments.length, LISTED),
      ],
      footer: `You are receiving this because customers had paid in your calendar ${name}.`,
    },
    origin,
  )
}

function toFact(payment: UnfinishedPayment, clock: Clock): MailDetail {
  const { provider, nameAtProvider, amountCents, currency, isSandbox, reason, appointment } = payment
  return {
    label: `${formatPrice(amountCents, currency)} through ${PROVIDER_NAMES[provider]}`,
    lines: [
      ...(isSandbox ? [SANDBOX_LABEL] : []),
      SENTENCES[payment.state][provider],
      ...(reason === null ? [] : [`What ${PROVIDER_NAMES[provider]} said: ${toSingleLine(reason)}`]),
      ...(nameAtProvider === null ? [] : [`${PROVIDER_NAMES[provider]} calls it ${nameAtProvider}`]),
      ...(appointment === null ? [] : linesOf(appointment, clock)),
    ],
  }
}

/**
 * The sentences for each state and provider. PayPal can only be queried with the calendar's keys, which are deleted;
 * Stripe can be queried with our own.
 */
const SENTENCES = {
  unanswered: {
    paypal:
      'PayPal hasn’t said whether this payment went through, and we can no longer check. The money may be in your PayPal account.',
    stripe:
      'Stripe hasn’t said whether this payment went through. If it did, we’ll refund it. Until then, the money may be in your Stripe account.',
  },
  owed: {
    paypal:
      'This payment came too late or twice and must be refunded to the customer. PayPal hadn’t refunded it, and we can no longer request that. The money is in your PayPal account.',
    stripe:
      'This payment came too late or twice and must be refunded to the customer. Stripe hasn’t refunded it yet. We’ll keep trying for three days after it arrived. Until then, the money is in your Stripe account.',
  },
  cancelled: {
    paypal:
      'This amount must be refunded to the customer, because the appointment was cancelled. PayPal hadn’t refunded it, and we can no longer request that. The money is in your PayPal account.',
    stripe:
      'This amount must be refunded to the customer, because the appointment was cancelled. Stripe hasn’t refunded it yet. We’ll keep trying for three days. Until then, the money is in your Stripe account.',
  },
} as const satisfies Record<UnfinishedPayment['state'], Record<UnfinishedPayment['provider'], string>>

function linesOf(
  {
    customerName,
    customerEmail,
    bookingReference,
    startsAt,
    endsAt,
  }: NonNullable<UnfinishedPayment['appointment']>,
  clock: Clock,
): string[] {
  return [
    [toIsolatedName(customerName), toSingleLine(customerEmail ?? '')]
      .filter((line) => line !== '')
      .join(', '),
    bookingReference,
    formatAppointmentTime(describeAppointmentTime(startsAt, endsAt, clock)),
  ]
}
