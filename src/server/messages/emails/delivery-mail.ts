import type { OutgoingMail } from '#server/ports/mailer.ts'
import {
  type Clock,
  describeAppointmentTime,
  formatAppointmentTime,
} from '#server/records/appointments/appointment-time.ts'
import { toIsolatedName, toSingleLine } from './entered-text.ts'
import { countUnlisted, type MailBlock } from './mail-document.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

export type UndeliveredMessage = {
  /** The name of the message, such as `Reminder`, and its recipient. */
  readonly what: string
  readonly bookingReference: string
  readonly customerName: string
  /** The start and end of the appointment, as instants in RFC 3339. */
  readonly startsAt: string
  readonly endsAt: string
  readonly reason: string
}

/** Maximum number of messages that are listed one by one; the rest is only counted. */
const MAX_LISTED = 20

const SEND_AGAIN_TEXT = 'You can resend each message from your appointments.'
const CLOSED_CALENDAR_TEXT =
  'They may not know that their appointments were cancelled when the calendar closed.'
const WAITING =
  'These messages are on hold, because there is a daily limit on emails. The appointments are not affected. We’ll send the messages as soon as we can, unless they’re out of date by then. If it’s urgent, please contact the people yourself.'

type Input = {
  readonly deliveryId: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly calendar: Clock & { readonly name: string; readonly color: string }
  /** The messages that failed for good. */
  readonly problems: readonly UndeliveredMessage[]
  /**
   * The messages that wait because of a rate limit, or because their recipient has unsubscribed or not responded yet.
   */
  readonly waiting: readonly UndeliveredMessage[]
  /** URL of the page where the messages can be sent again; null for messages about a deleted calendar. */
  readonly ownerUrl: string | null
}

/** Tells an owner which messages failed or are waiting, so that they can contact the customers. */
export function buildUndeliveredMessages(input: Input, origin: MailOrigin): OutgoingMail {
  const { problems, owner, ownerUrl } = input
  const calendar = toIsolatedName(input.calendar.name)
  const { heading, preview } =
    problems.length > 0
      ? {
          heading: 'Messages weren’t delivered',
          preview: `We couldn’t deliver messages about appointments in ${calendar}.`,
        }
      : {
          heading: 'Messages are on hold',
          preview: `Messages about appointments in ${calendar} are on hold.`,
        }
  return toMailFromInstallation(
    {
      idParts: [input.deliveryId, 'delivery-problem'],
      to: { name: owner.name, address: owner.email },
      calendar: { name: calendar, color: input.calendar.color },
      about: calendar,
      heading,
      preview,
      blocks: [
        ...listBlocks(
          problems,
          `The mail server rejected these messages, or we couldn’t deliver them for three days. Please contact the people yourself. ${ownerUrl === null ? CLOSED_CALENDAR_TEXT : SEND_AGAIN_TEXT}`,
          input,
        ),
        ...listBlocks(input.waiting, WAITING, input),
        ...(ownerUrl === null
          ? []
          : [{ kind: 'button' as const, label: 'Open your appointments', url: ownerUrl, spelledOut: false }]),
      ],
      footer: `You are receiving this because customers ${ownerUrl === null ? 'had booked' : 'can book'} in your calendar ${calendar}.`,
    },
    origin,
  )
}

/** Returns a paragraph and the list of messages; nothing when there are none. */
function listBlocks(
  problems: readonly UndeliveredMessage[],
  text: string,
  { calendar }: Pick<Input, 'calendar'>,
): MailBlock[] {
  if (problems.length === 0) return []
  const facts = problems
    .slice(0, MAX_LISTED)
    .map(({ what, bookingReference, customerName, startsAt, endsAt, reason }) => ({
      label: what,
      lines: [
        toSingleLine(customerName),
        bookingReference,
        formatAppointmentTime(describeAppointmentTime(startsAt, endsAt, calendar)),
        toSingleLine(reason),
      ],
    }))
  return [
    { kind: 'paragraph', text },
    { kind: 'facts', facts },
    ...countUnlisted(problems.length, MAX_LISTED),
  ]
}
