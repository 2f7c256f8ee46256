import { wrapInBidiIsolates } from '#core/shared/text.ts'
import type { MailAddress, OutgoingMail } from '#server/ports/mailer.ts'
import { type AppointmentMailContent, getCustomerAddress, getProfessionalName } from './appointment-facts.ts'
import { withoutEnteredLinks } from './customer-facts.ts'
import { toGreetingName, toIsolatedName, toSingleLine } from './entered-text.ts'
import { renderHtmlPage, toMailImages } from './html-page.ts'
import type { MailBlock, MailDocument } from './mail-document.ts'
import { AUTOMATIC_MAIL_HEADERS, type MailOrigin, toMessageId, toMessageIdPart } from './mail-origin.ts'
import { renderPlainText } from './plain-text.ts'

/** Maximum length of a name in a subject, in characters. */
export const MAX_SUBJECT_NAME_LENGTH = 60

export type AppointmentMessage = Pick<MailDocument, 'heading' | 'preview' | 'blocks'> & {
  readonly kind: string
  /** Distinguishes messages of one kind about the same revision of an appointment. */
  readonly occasion?: string
  readonly subject: string
  readonly attachments: OutgoingMail['attachments']
}

/**
 * Returns a part of the Message-ID that identifies the change which a message is about. It is the same for each retry,
 * and different for the next change.
 */
export function toMessageIdOccasion({ updatedAt }: AppointmentMailContent): string {
  return toMessageIdPart(updatedAt)
}

/**
 * Builds an email to the customer, in the professional's name, with replies going to the owner. `write` receives only
 * content that a customer may read; the email must contain nothing else. Source: rule M11.
 */
export function toCustomerMail(
  given: AppointmentMailContent,
  origin: MailOrigin,
  write: (facts: AppointmentMailContent) => AppointmentMessage,
): OutgoingMail {
  const facts = withoutEnteredLinks(given)
  const message = write(facts)
  const who = getProfessionalName(facts)
  const blocks = [...message.blocks, ...stopBlock(facts)]
  return toAppointmentMail(
    facts,
    origin,
    { ...message, blocks },
    {
      fromName: toSingleLine(who),
      to: { name: toGreetingName(facts.customer.name), address: getCustomerAddress(facts) },
      replyTo: { name: toSingleLine(facts.owner.name), address: facts.owner.email },
      footer: [
        `Questions? Reply to this email to reach ${who}.`,
        `You are receiving this because your address was given for a booking with ${toIsolatedName(facts.calendar.name)}.`,
      ],
    },
  )
}

function stopBlock({ stopUrl }: AppointmentMailContent): MailBlock[] {
  return stopUrl === null ? [] : [{ kind: 'link', label: 'Didn’t book this? Unsubscribe', url: stopUrl }]
}

/**
 * Builds an email to the owner, in the calendar's name, with replies going to the customer if there is an address.
 * Source: rule M11.
 */
export function toOwnerMail(
  facts: AppointmentMailContent,
  origin: MailOrigin,
  message: AppointmentMessage,
): OutgoingMail {
  const calendar = toSingleLine(facts.calendar.name)
  const customer = toSingleLine(facts.customer.name)
  const { email } = facts.customer
  return toAppointmentMail(facts, origin, message, {
    fromName: calendar,
    to: { name: toSingleLine(facts.owner.name), address: facts.owner.email },
    replyTo: email === null ? null : { name: customer, address: email },
    footer: [
      ...(email === null ? [] : [`Reply to this email to reach ${wrapInBidiIsolates(customer)}.`]),
      `You are receiving this because customers can book in your calendar ${wrapInBidiIsolates(calendar)}.`,
    ],
  })
}

function toAppointmentMail(
  facts: AppointmentMailContent,
  origin: MailOrigin,
  message: AppointmentMessage,
  envelope: { fromName: string; to: MailAddress; replyTo: MailAddress | null; footer: readonly string[] },
): OutgoingMail {
  const document: MailDocument = {
    masthead: toSingleLine(facts.calendar.name),
    color: facts.calendar.color,
    brand: facts.calendar.brand,
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
    ...toMailImages(document),
    headers: AUTOMATIC_MAIL_HEADERS,
  }
}
