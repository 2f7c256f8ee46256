import { SANDBOX_LABEL } from '#core/payments/provider-names.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { type Clock, describeStart } from '#server/records/appointments/appointment-time.ts'
import {
  formatTimeForSubject,
  toBookingDetails,
  toCustomerDetails,
  toReferenceDetail,
  toTimeBlock,
} from './appointment-blocks.ts'
import { MAX_SUBJECT_NAME_LENGTH, toCustomerMail, toOwnerMail } from './appointment-envelope.ts'
import {
  type AppointmentMailContent,
  formatPrice,
  getCustomerClock,
  getProfessionalName,
} from './appointment-facts.ts'
import { toGreeting, toIsolatedName, toSingleLine } from './entered-text.ts'
import type { MailBlock, MailDetail } from './mail-document.ts'
import type { MailOrigin } from './mail-origin.ts'

/** The data about one payment that an email contains in addition to the appointment's data. */
export type PaymentMailContent = {
  readonly paymentId: string
  /** The amount in minor units of `currency`. */
  readonly amountCents: number
  readonly currency: string
  /** True when no real money moves. */
  readonly isSandbox: boolean
}

/**
 * Tells the customer that a payment is refunded, because it was late or the appointment was already paid. Source: rule
 * P10.
 */
export function buildPaymentRefunded(
  given: AppointmentMailContent,
  payment: PaymentMailContent & {
    readonly reason: 'too_late' | 'paid_already'
    /**
     * Free start times near the appointment's time, as instants, each with the URL that books it; empty when the
     * appointment takes place.
     */
    readonly nearTimes: readonly NearTime[]
    /** URL of the booking page. */
    readonly bookUrl: string
  },
  origin: MailOrigin,
): OutgoingMail {
  const isLate = payment.reason === 'too_late'
  const amount = formatPrice(payment.amountCents, payment.currency)
  return toCustomerMail(given, origin, (facts) => {
    const who = getProfessionalName(facts)
    const text = isLate
      ? `Your payment of ${amount} to ${who} came too late: we were no longer holding the time below, so it couldn’t be booked. We’re refunding you in full. It may take a few days to reach your account.`
      : `Your payment of ${amount} to ${who} arrived, but the appointment below was already paid for. Your appointment is still on, and we’re refunding this payment in full. It may take a few days to reach your account.`
    return {
      kind: 'payment-returned',
      occasion: payment.paymentId,
      subject: `Your payment is being refunded: ${formatTimeForSubject(facts, 'customer')} with ${toIsolatedName(who, MAX_SUBJECT_NAME_LENGTH)}`,
      heading: 'Your payment is being refunded',
      preview: isLate ? 'It came too late, so nothing was booked.' : 'The appointment was already paid for.',
      blocks: [
        { kind: 'paragraph', text: toGreeting(facts.customer.name) },
        { kind: 'paragraph', text },
        toTimeBlock(facts, 'customer', ...(isLate ? (['cancelled'] as const) : [])),
        { kind: 'facts', facts: [...toBookingDetails(facts), priceFact(payment), toReferenceDetail(facts)] },
        ...nearTimesBlock(payment.nearTimes, getCustomerClock(facts)),
        isLate
          ? { kind: 'button', label: 'Book another time', url: payment.bookUrl, spelledOut: false }
          : { kind: 'button', label: 'View your booking', url: facts.manageUrl, spelledOut: false },
      ],
      attachments: [],
    }
  })
}

/** Returns the agreed price, without the payment status, which is the subject of the email. */
function priceFact({ amountCents, currency, isSandbox }: PaymentMailContent): MailDetail {
  return {
    label: 'Price',
    lines: [formatPrice(amountCents, currency), ...(isSandbox ? [SANDBOX_LABEL] : [])],
  }
}

type NearTime = { readonly startsAt: string; readonly url: string }

function nearTimesBlock(nearTimes: readonly NearTime[], clock: Clock): MailBlock[] {
  if (nearTimes.length === 0) return []
  const choices = nearTimes.map(({ startsAt, url }) => {
    const { date, time } = describeStart(startsAt, clock)
    return { label: `${date}, ${time}`, url }
  })
  return [{ kind: 'choices', label: 'Other times nearby', choices }]
}

const OWNER_TEXTS = {
  mismatch: {
    heading: 'A payment needs your attention',
    text: (amount: string) =>
      `A payment arrived that doesn’t match the agreed amount (${amount}), so the appointment below wasn’t confirmed. Please check it with your payment provider and refund it there.`,
  },
  refund_failed: {
    heading: 'A payment couldn’t be refunded',
    text: (amount: string) =>
      `A payment of ${amount} must be refunded to your customer, but your payment provider didn’t refund it. Please refund it there yourself.`,
  },
  part_failed: {
    heading: 'A refund needs your attention',
    text: (amount: string) =>
      `An appointment was cancelled, and your customer is owed a refund of ${amount}. Your payment provider didn’t make the refund. Please open the appointment to try again, or to record that you refunded it yourself.`,
  },
  unanswered: {
    heading: 'A payment needs your attention',
    text: (amount: string) =>
      `For three days, your payment provider hasn’t said whether a payment of ${amount} went through. The time is no longer held, so there is no appointment for it. Please check your account there, and if the money arrived, refund it.`,
  },
} as const

/**
 * Tells the owner about a payment problem that only the owner can solve. `reason` is the provider's message, or
 * describes the received payment.
 */
export function buildOwnerPaymentNotice(
  facts: AppointmentMailContent,
  payment: PaymentMailContent & {
    readonly about: keyof typeof OWNER_TEXTS
    readonly reason: string | null
    /** The provider's id of the payment. */
    readonly nameAtProvider: string | null
    /** URL of the page where the owner sees all payments. */
    readonly transactionsUrl: string
  },
  origin: MailOrigin,
): OutgoingMail {
  const { heading, text } = OWNER_TEXTS[payment.about]
  const customer = toIsolatedName(facts.customer.name)
  return toOwnerMail(facts, origin, {
    kind: `owner-payment-${payment.about.replace('_', '-')}`,
    occasion: payment.paymentId,
    subject: `${heading}: ${toIsolatedName(customer, MAX_SUBJECT_NAME_LENGTH)}, ${formatTimeForSubject(facts, 'owner')}`,
    heading,
    preview: payment.reason ?? heading,
    blocks: [
      { kind: 'paragraph', text: text(formatPrice(payment.amountCents, payment.currency)) },
      {
        kind: 'facts',
        facts: [
          ...(payment.reason === null
            ? []
            : [{ label: 'What happened', lines: [toSingleLine(payment.reason)] }]),
          ...(payment.nameAtProvider === null ? [] : [{ label: 'Payment', lines: [payment.nameAtProvider] }]),
        ],
      },
      toTimeBlock(facts, 'owner'),
      {
        kind: 'facts',
        facts: [
          ...toCustomerDetails(facts),
          ...toBookingDetails(facts),
          priceFact(payment),
          toReferenceDetail(facts),
        ],
      },
      { kind: 'button', label: 'Open your transactions', url: payment.transactionsUrl, spelledOut: false },
    ],
    attachments: [],
  })
}
