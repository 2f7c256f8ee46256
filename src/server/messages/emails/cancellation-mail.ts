import type { OutgoingMail } from '#server/ports/mailer.ts'
import {
  describePreviousStart,
  formatAppointmentTime,
} from '#server/records/appointments/appointment-time.ts'
import {
  formatTimeForReader,
  formatTimeForSubject,
  toAppointmentDetailsBlock,
  toDatesBlock,
  toOwnerNoteBlock,
  toTimeBlock,
} from './appointment-blocks.ts'
import { MAX_SUBJECT_NAME_LENGTH, toCustomerMail, toOwnerMail } from './appointment-envelope.ts'
import {
  type AppointmentMailContent,
  formatPrice,
  getCustomerClock,
  getProfessionalName,
} from './appointment-facts.ts'
import { buildCalendarFile } from './calendar-file.ts'
import { toGreeting, toIsolatedName } from './entered-text.ts'
import type { MailBlock } from './mail-document.ts'
import type { MailOrigin } from './mail-origin.ts'

/** Tells the customer that the appointment was cancelled, and removes it from their calendar. */
export async function buildCancellation(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return buildCustomerCancellation(facts, origin, {
    kind: 'appointment-cancelled',
    text: `${describeEvent(facts)}${describePreviousStart(facts.knownStartsAt, getCustomerClock(facts))} The attached file removes it from your calendar.`,
    pageUrl: facts.manageUrl,
  })
}

/**
 * Tells the customer that the appointment was cancelled because the calendar was deleted, and removes it from their
 * calendar.
 */
export async function buildCalendarClosedCancellation(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const message = {
    kind: 'calendar-closed',
    text: `Your appointment with ${getProfessionalName(facts)} has been cancelled, because the calendar you booked it in has closed. The attached file removes it from your calendar.${facts.paymentStatus === 'paid' ? '' : ' You don’t need to do anything.'}`,
    // The calendar's deletion gave the appointment no new revision, so raise the file's revision here.
    fileSequence: facts.sequence + 1,
  }
  return buildCustomerCancellation(facts, origin, message)
}

/** Tells the owner that an appointment was cancelled, and removes it from their own calendar. */
export async function buildOwnerCancellationNotice(
  facts: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const time = formatTimeForReader(facts, 'owner')
  const customer = toIsolatedName(facts.customer.name)
  const told =
    facts.customer.email === null
      ? `${customer} has no email address, so please tell them yourself.`
      : `We’ll email ${customer}.`
  return toOwnerMail(facts, origin, {
    kind: 'owner-appointment-cancelled',
    subject: `Appointment cancelled: ${toIsolatedName(customer, MAX_SUBJECT_NAME_LENGTH)}, ${formatTimeForSubject(facts, 'owner')}`,
    heading: 'Appointment cancelled',
    preview: formatAppointmentTime(time),
    blocks: [
      {
        kind: 'paragraph',
        text: `${describeEventToOwner(facts, customer)} ${told}${describePreviousStart(facts.knownStartsAt, facts)}${refundForOwner(facts)}`,
      },
      toTimeBlock(facts, 'owner', 'cancelled'),
      ...toDatesBlock(facts, 'owner'),
      toAppointmentDetailsBlock(facts, 'owner', 'cancelled'),
      { kind: 'button', label: 'Open the appointment', url: facts.ownerUrl, spelledOut: false },
    ],
    attachments: [buildCalendarFile(facts, origin, 'owner-cancellation')],
  })
}

/**
 * Builds the email. `fileSequence` is the revision of the calendar file; it defaults to the appointment's. `pageUrl` is
 * the customer's page, as long as the appointment is stored.
 */
function buildCustomerCancellation(
  given: AppointmentMailContent,
  origin: MailOrigin,
  {
    kind,
    text,
    fileSequence,
    pageUrl,
  }: { kind: string; text: string; fileSequence?: number; pageUrl?: string },
): OutgoingMail {
  return toCustomerMail(given, origin, (facts) => {
    const time = formatTimeForReader(facts, 'customer')
    const inFile = { ...facts, sequence: fileSequence ?? facts.sequence }
    const heading = facts.otherDates === undefined ? 'Appointment cancelled' : 'Appointments cancelled'
    return {
      kind,
      subject: `${heading}: ${formatTimeForSubject(facts, 'customer')} with ${toIsolatedName(getProfessionalName(facts), MAX_SUBJECT_NAME_LENGTH)}`,
      heading,
      preview: formatAppointmentTime(time),
      blocks: [
        { kind: 'paragraph', text: toGreeting(facts.customer.name) },
        { kind: 'paragraph', text },
        ...toOwnerNoteBlock(facts),
        toTimeBlock(facts, 'customer', 'cancelled'),
        ...toDatesBlock(facts, 'customer'),
        toAppointmentDetailsBlock(facts, 'customer', 'cancelled'),
        ...moneyBlock(facts),
        ...(pageUrl === undefined
          ? []
          : [{ kind: 'link', label: 'View this appointment', url: pageUrl } as const]),
      ],
      attachments: [buildCalendarFile(inFile, origin, 'cancellation')],
    }
  })
}

const MONEY = {
  not_required: null,
  pending: null,
  paid: 'You’ve paid for this appointment. Reply to this email to ask about a refund.',
  failed: 'The payment for it didn’t go through.',
  refunded: 'Your payment has been refunded.',
} as const satisfies Record<AppointmentMailContent['paymentStatus'], string | null>

/** Shows the refund or payment status, if a payment was made or attempted. Source: rule Q9. */
function moneyBlock(given: AppointmentMailContent): MailBlock[] {
  const facts = withMoneyOfAllDates(given)
  const { paymentStatus, refundDueCents = null } = facts
  const text =
    paymentStatus === 'paid' && refundDueCents !== null
      ? aboutRefund(facts, refundDueCents)
      : MONEY[paymentStatus]
  return text === null ? [] : [{ kind: 'paragraph', text }]
}

/** Returns the facts with the price and the refund of all paid dates of a series together. */
function withMoneyOfAllDates(facts: AppointmentMailContent): AppointmentMailContent {
  const paid = [facts, ...(facts.otherDates ?? [])].filter(({ paymentStatus }) => paymentStatus === 'paid')
  if (paid.length < 2) return paid[0] ?? facts
  const due = paid.flatMap(({ refundDueCents = null }) => (refundDueCents === null ? [] : [refundDueCents]))
  return {
    ...facts,
    paymentStatus: 'paid',
    priceCents: sum(paid.map(({ priceCents }) => priceCents ?? 0)),
    refundDueCents: due.length === 0 ? null : sum(due),
  }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

function aboutRefund({ priceCents, currency }: AppointmentMailContent, dueCents: number): string {
  if (dueCents === 0) return 'This booking’s policy includes no refund.'
  const amount = formatPrice(dueCents, currency)
  const part =
    dueCents < (priceCents ?? 0) ? ` of the ${formatPrice(priceCents ?? 0, currency)} you paid` : ''
  return `We’ll refund ${amount}${part}. It may take a few days to reach your account.`
}

function describeEvent(facts: AppointmentMailContent): string {
  const who = getProfessionalName(facts)
  if (facts.otherDates !== undefined) {
    const count = facts.otherDates.length + 1
    return facts.cancelledBy === 'customer'
      ? `You cancelled ${count} appointments with ${who}.`
      : `${count} appointments with ${who} have been cancelled.`
  }
  return facts.cancelledBy === 'customer'
    ? `You cancelled your appointment with ${who}.`
    : `Your appointment with ${who} has been cancelled.`
}

function describeEventToOwner({ otherDates, cancelledBy }: AppointmentMailContent, customer: string): string {
  if (otherDates !== undefined) {
    const count = otherDates.length + 1
    return cancelledBy === 'customer'
      ? `${customer} cancelled ${count} appointments, and their times can be booked again.`
      : `${count} appointments with ${customer} have been cancelled, and their times can be booked again.`
  }
  return cancelledBy === 'customer'
    ? `${customer} cancelled this appointment, and its time can be booked again.`
    : `The appointment with ${customer} has been cancelled, and its time can be booked again.`
}

/** Returns a sentence about the refund, with a leading space; empty when nothing is refunded. */
function refundForOwner(given: AppointmentMailContent): string {
  const { paymentStatus, refundDueCents = null, currency } = withMoneyOfAllDates(given)
  if (paymentStatus !== 'paid' || refundDueCents === null || refundDueCents === 0) return ''
  return ` ${formatPrice(refundDueCents, currency)} of the payment will be refunded. If it was paid manually, please refund it yourself.`
}
