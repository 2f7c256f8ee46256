import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import {
  describeAppointmentTime,
  describeStart,
  describeStartForSubject,
  describeTimeInOtherZone,
  formatAppointmentTime,
} from '#server/records/appointments/appointment-time.ts'
import type { MailBranding } from '#server/records/branding/to-branding.ts'
import { MAX_SUBJECT_NAME_LENGTH } from './appointment-envelope.ts'
import { getProfessionalName } from './appointment-facts.ts'
import { toGreeting, toGreetingName, toIsolatedName, toSingleLine } from './entered-text.ts'
import { renderHtmlPage, toMailImages } from './html-page.ts'
import type { MailBlock, MailDocument } from './mail-document.ts'
import { AUTOMATIC_MAIL_HEADERS, type MailOrigin, toMessageId } from './mail-origin.ts'
import { renderPlainText } from './plain-text.ts'

/** The data that every email about the waiting list contains. */
export type WaitingMailContent = {
  /**
   * The id of the request or offer, plus how many times its link has been replaced, so that each email gets its own
   * Message-ID.
   */
  readonly id: string
  readonly customer: { readonly name: string; readonly email: string }
  readonly owner: { readonly name: string; readonly email: string }
  readonly calendar: {
    readonly name: string
    readonly color: string
    readonly professionalName: string | null
    /** The branding to show; absent if none is shown. Source: rule K10. */
    readonly brand?: MailBranding | null
  }
  readonly typeName: string | null
  readonly timeZone: string
  readonly customerTimeZone: string | null
  readonly hourCycle: HourCycle
  /** URL of the page for confirming the request and for leaving the list. */
  readonly requestUrl: string
}

/** The additional data of an offer. Instants are RFC 3339. */
type WaitingOfferContent = WaitingMailContent & {
  readonly startsAt: string
  readonly endsAt: string
  readonly expiresAt: string
  /**
   * True when the time is held for this customer. False when all matching customers get the offer, and the first to
   * accept gets the time.
   */
  readonly isHeld: boolean
  readonly offerUrl: string
}

/**
 * The data of an email about a deleted waiting list, whose request pages are gone. The data are stored in a job,
 * because the rows are deleted too.
 */
export type WaitingClosedContent = Omit<
  WaitingMailContent,
  'typeName' | 'timeZone' | 'customerTimeZone' | 'hourCycle' | 'requestUrl'
>

/** Asks for confirmation of a waiting-list request. Until then, no times are offered. Source: rule Z1. */
export function buildWaitingConfirmation(content: WaitingMailContent, origin: MailOrigin): OutgoingMail {
  const who = getProfessionalName(content)
  return toWaitingMail(content, origin, {
    kind: 'waiting-confirmation',
    subject: `Confirm your place on the waiting list of ${toIsolatedName(who, MAX_SUBJECT_NAME_LENGTH)}`,
    heading: 'Confirm your place on the waiting list',
    preview: 'Confirm, and we’ll email you when a time opens up.',
    blocks: [
      {
        kind: 'paragraph',
        text: `Somebody asked us to email this address when a time opens up with ${who}. If that was you, please confirm.`,
      },
      ...typeBlock(content),
      { kind: 'button', label: 'Join the waiting list', url: content.requestUrl, spelledOut: true },
      {
        kind: 'paragraph',
        text: 'If it wasn’t you, ignore this email. We won’t write again.',
      },
    ],
  })
}

/** Offers a time to a customer on the waiting list. Source: rule Z2. */
export function buildWaitingOffer(content: WaitingOfferContent, origin: MailOrigin): OutgoingMail {
  const who = getProfessionalName(content)
  const { startsAt, endsAt, timeZone, hourCycle } = content
  const clock = { timeZone: zoneOf(content), hourCycle }
  const offered = { startsAt, endsAt, ...clock }
  const time = describeAppointmentTime(startsAt, endsAt, clock)
  const elsewhere = describeTimeInOtherZone(offered, { name: who, timeZone })
  const until = describeStart(content.expiresAt, clock)
  const text = content.isHeld
    ? `A time has opened up with ${who}. We’re holding it for you until ${until.date}, ${until.time}. After that we’ll offer it to the next person.`
    : `A time has opened up with ${who}. It isn’t held for you: the first person to accept or book it gets it.`
  return toWaitingMail(content, origin, {
    kind: 'waiting-offer',
    subject: `A time is free: ${describeStartForSubject(offered, timeZone)} with ${toIsolatedName(who, MAX_SUBJECT_NAME_LENGTH)}`,
    heading: 'A time is free for you',
    preview: `${formatAppointmentTime(time)}.`,
    blocks: [
      { kind: 'paragraph', text },
      { kind: 'time', time, elsewhere, cancelled: false },
      ...typeBlock(content),
      { kind: 'button', label: 'Accept or decline', url: content.offerUrl, spelledOut: false },
      { kind: 'link', label: 'Leave the waiting list', url: content.requestUrl },
    ],
  })
}

/** Tells a customer on the waiting list that the calendar, and the list with it, was deleted. Source: rule Z15. */
export function buildWaitingClosed(content: WaitingClosedContent, origin: MailOrigin): OutgoingMail {
  const who = getProfessionalName(content)
  return toWaitingMail({ ...content, requestUrl: null }, origin, {
    kind: 'waiting-closed',
    subject: `The waiting list of ${toIsolatedName(who, MAX_SUBJECT_NAME_LENGTH)} has closed`,
    heading: 'The waiting list has closed',
    preview: 'We won’t email you about free times again.',
    blocks: [
      {
        kind: 'paragraph',
        text: `You were on the waiting list of ${who}. The calendar has closed, and so has its waiting list. We won’t email you about free times again, and open offers can no longer be accepted. You don’t need to do anything.`,
      },
    ],
  })
}

/** Returns the zone in which the customer reads times. Source: rule T22. */
function zoneOf({ customerTimeZone, timeZone }: WaitingMailContent): string {
  return customerTimeZone !== null && isTimeZone(customerTimeZone) ? customerTimeZone : timeZone
}

function typeBlock({ typeName }: WaitingMailContent): MailBlock[] {
  return typeName === null
    ? []
    : [{ kind: 'facts', facts: [{ label: 'Appointment', lines: [toSingleLine(typeName)] }] }]
}

type Message = Pick<MailDocument, 'heading' | 'preview' | 'blocks'> & {
  readonly kind: string
  readonly subject: string
}

/**
 * Builds an email in the professional's name, like emails about appointments, with an unsubscribe header that leaves
 * the list (RFC 2369).
 */
function toWaitingMail(
  content: WaitingClosedContent & { readonly requestUrl: string | null },
  origin: MailOrigin,
  message: Message,
): OutgoingMail {
  const { customer, owner, calendar, id, requestUrl } = content
  const who = getProfessionalName(content)
  const document: MailDocument = {
    masthead: toSingleLine(calendar.name),
    color: calendar.color,
    brand: calendar.brand,
    heading: message.heading,
    preview: message.preview,
    blocks: [{ kind: 'paragraph', text: toGreeting(customer.name) }, ...message.blocks],
    footer: [
      `Questions? Reply to this email to reach ${who}.`,
      `You are receiving this because your address was given for the waiting list of ${toIsolatedName(calendar.name)}.`,
    ],
  }
  return {
    messageId: toMessageId(origin, [id, message.kind]),
    from: { name: toSingleLine(who), address: origin.from.address },
    replyTo: { name: toSingleLine(owner.name), address: owner.email },
    to: { name: toGreetingName(customer.name), address: customer.email },
    subject: message.subject,
    text: renderPlainText(document),
    html: renderHtmlPage(document),
    attachments: [],
    ...toMailImages(document),
    headers: {
      ...AUTOMATIC_MAIL_HEADERS,
      ...(requestUrl !== null && { 'List-Unsubscribe': `<${requestUrl}>` }),
    },
  }
}
