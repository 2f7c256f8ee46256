import type { MailAddress, OutgoingMail } from '#server/ports/mailer.ts'
import {
  customerFacts,
  notesBlock,
  priceFacts,
  referenceFact,
  timeBlock,
  timeFor,
  whatFacts,
} from './appointment-blocks.ts'
import { type AppointmentMailFacts, addressOf, professionalOf } from './appointment-facts.ts'
import { toSentence } from './appointment-time.ts'
import { buildCalendarFile } from './calendar-file.ts'
import { renderHtmlPage } from './html-page.ts'
import type { MailDocument } from './mail-document.ts'
import { AUTOMATIC_HEADERS, type MailOrigin, toMessageId } from './mail-origin.ts'
import { renderPlainText } from './plain-text.ts'
import { toAddressee, toGreeting, toLine } from './typed-text.ts'

export type { AppointmentMailFacts } from './appointment-facts.ts'
export type { MailOrigin } from './mail-origin.ts'

/** Tells the customer that the appointment is booked, with an invitation for their calendar. */
export async function buildBookingConfirmation(
  facts: AppointmentMailFacts,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const time = timeFor(facts, 'customer')
  const who = professionalOf(facts)
  return toCustomerMail(facts, origin, {
    kind: 'booking-confirmation',
    subject: `Booking confirmed: ${time.brief} with ${toLine(who, SUBJECT_NAME_LENGTH)}`,
    heading: 'Booking Confirmed!',
    preview: toSentence(time),
    blocks: [
      { kind: 'paragraph', text: toGreeting(facts.customer.name) },
      {
        kind: 'paragraph',
        text: `Your appointment with ${who} is booked. The attached file adds it to your calendar.`,
      },
      timeBlock(facts, 'customer'),
      { kind: 'facts', facts: [...whatFacts(facts), ...priceFacts(facts), referenceFact(facts)] },
      ...notesBlock(facts, 'Your notes'),
      { kind: 'button', label: 'View your booking', url: facts.manageUrl, spelledOut: false },
      { kind: 'link', label: 'Cancel this appointment', url: facts.cancelUrl },
    ],
    attachments: [buildCalendarFile(facts, origin, 'invitation')],
  })
}

/** Tells the customer that the calendar is gone and the appointment with it, and takes it out of their calendar. */
export async function buildCalendarClosedCancellation(
  facts: AppointmentMailFacts,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const time = timeFor(facts, 'customer')
  const who = professionalOf(facts)
  return toCustomerMail(facts, origin, {
    kind: 'calendar-closed',
    subject: `Appointment cancelled: ${time.brief} with ${toLine(who, SUBJECT_NAME_LENGTH)}`,
    heading: 'Appointment Cancelled',
    preview: toSentence(time),
    blocks: [
      { kind: 'paragraph', text: toGreeting(facts.customer.name) },
      {
        kind: 'paragraph',
        text: `Your appointment with ${who} has been cancelled, because the calendar you booked it in was closed. The attached file takes it out of your calendar. There is nothing else you need to do.`,
      },
      timeBlock(facts, 'customer', 'cancelled'),
      { kind: 'facts', facts: [...whatFacts(facts), referenceFact(facts)] },
      ...(facts.paymentStatus === 'paid'
        ? [
            {
              kind: 'paragraph',
              text: 'You have paid for it: reply to this email to ask about a refund.',
            } as const,
          ]
        : []),
    ],
    attachments: [buildCalendarFile(facts, origin, 'cancellation')],
  })
}

/** Tells the owner who booked what and when, with an entry for their own calendar. */
export async function buildOwnerBookingNotice(
  facts: AppointmentMailFacts,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const time = timeFor(facts, 'owner')
  const customer = toLine(facts.customer.name)
  return toOwnerMail(facts, origin, {
    kind: 'owner-booking-notice',
    subject: `New booking: ${toLine(customer, SUBJECT_NAME_LENGTH)}, ${time.brief}`,
    heading: 'New booking',
    preview: toSentence(time),
    blocks: [
      { kind: 'paragraph', text: `${customer} booked an appointment with you.` },
      timeBlock(facts, 'owner'),
      {
        kind: 'facts',
        facts: [...customerFacts(facts), ...whatFacts(facts), ...priceFacts(facts), referenceFact(facts)],
      },
      ...notesBlock(facts, 'Notes from your customer'),
      { kind: 'button', label: 'Open your dashboard', url: facts.ownerUrl, spelledOut: false },
    ],
    attachments: [buildCalendarFile(facts, origin, 'owner-copy')],
  })
}

/** Asks the owner to decide about a cancellation. The appointment stands until they do, so no calendar file goes with it. */
export async function buildOwnerCancellationRequest(
  facts: AppointmentMailFacts,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const time = timeFor(facts, 'owner')
  const customer = toLine(facts.customer.name)
  return toOwnerMail(facts, origin, {
    kind: 'owner-cancellation-request',
    // A denied request may be followed by another one, which is not a repeat of the first.
    occasion: facts.updatedAt.replace(/\D/g, ''),
    subject: `Cancellation requested: ${toLine(customer, SUBJECT_NAME_LENGTH)}, ${time.brief}`,
    heading: 'Cancellation requested',
    preview: toSentence(time),
    blocks: [
      {
        kind: 'paragraph',
        text: `${customer} asks to cancel this appointment. It stays in your calendar until you decide.`,
      },
      timeBlock(facts, 'owner'),
      { kind: 'facts', facts: [...customerFacts(facts), ...whatFacts(facts), referenceFact(facts)] },
      { kind: 'button', label: 'Review the request', url: facts.ownerUrl, spelledOut: false },
    ],
    attachments: [],
  })
}

/** Names are long in forms and short in subjects. */
const SUBJECT_NAME_LENGTH = 60

type AppointmentMessage = Pick<MailDocument, 'heading' | 'preview' | 'blocks'> & {
  readonly kind: string
  /** Tells apart messages of one kind about the same revision of an appointment. */
  readonly occasion?: string
  readonly subject: string
  readonly attachments: OutgoingMail['attachments']
}

function toCustomerMail(
  facts: AppointmentMailFacts,
  origin: MailOrigin,
  message: AppointmentMessage,
): OutgoingMail {
  const who = professionalOf(facts)
  return toAppointmentMail(facts, origin, message, {
    fromName: who,
    to: { name: toAddressee(facts.customer.name), address: addressOf(facts) },
    replyTo: { name: toLine(facts.owner.name), address: facts.owner.email },
    footer: [
      `Questions? Reply to this email to reach ${who}.`,
      `You are receiving this because your address was given for a booking with ${toLine(facts.calendar.name)}.`,
    ],
  })
}

function toOwnerMail(
  facts: AppointmentMailFacts,
  origin: MailOrigin,
  message: AppointmentMessage,
): OutgoingMail {
  const calendar = toLine(facts.calendar.name)
  const customer = toLine(facts.customer.name)
  const { email } = facts.customer
  return toAppointmentMail(facts, origin, message, {
    fromName: calendar,
    to: { name: toLine(facts.owner.name), address: facts.owner.email },
    replyTo: email === null ? null : { name: customer, address: email },
    footer: [
      ...(email === null ? [] : [`Reply to this email to reach ${customer}.`]),
      `You are receiving this because customers can book in your calendar ${calendar}.`,
    ],
  })
}

function toAppointmentMail(
  facts: AppointmentMailFacts,
  origin: MailOrigin,
  message: AppointmentMessage,
  envelope: { fromName: string; to: MailAddress; replyTo: MailAddress | null; footer: readonly string[] },
): OutgoingMail {
  const document: MailDocument = {
    masthead: toLine(facts.calendar.name),
    color: facts.calendar.color,
    heading: message.heading,
    preview: message.preview,
    blocks: message.blocks,
    footer: envelope.footer,
  }
  return {
    messageId: toMessageId(origin, [
      facts.appointmentId,
      message.kind,
      facts.sequence,
      ...(message.occasion === undefined ? [] : [message.occasion]),
    ]),
    from: { name: envelope.fromName, address: origin.from.address },
    replyTo: envelope.replyTo,
    to: envelope.to,
    subject: message.subject,
    text: renderPlainText(document),
    html: renderHtmlPage(document),
    attachments: message.attachments,
    headers: AUTOMATIC_HEADERS,
  }
}
