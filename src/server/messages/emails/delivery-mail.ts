import type { OutgoingMail } from '#server/ports/mailer.ts'
import {
  describeAppointmentTime,
  formatAppointmentTime,
} from '#server/records/appointments/appointment-time.ts'
import { toIsolatedName, toSingleLine } from './entered-text.ts'
import type { MailBlock } from './mail-document.ts'
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

const SEND_AGAIN_TEXT = 'In your appointments you can have each message sent again.'
const CLOSED_CALENDAR_TEXT =
  'They may not know yet that their appointments are cancelled, because the calendar was closed.'
const WAITING =
  'These messages wait, because there is a limit to how many emails leave in a day. The appointments stand. The messages are sent by themselves as soon as they may be, unless they are no longer true by then. Where it is urgent, please reach the people concerned yourself.'

type Input = {
  readonly deliveryId: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly calendar: { readonly name: string; readonly color: string; readonly timeZone: string }
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
          heading: 'Messages were not delivered',
          preview: `Messages about appointments in ${calendar} could not be delivered.`,
        }
      : {
          heading: 'Messages wait to be sent',
          preview: `Messages about appointments in ${calendar} wait to be sent.`,
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
          `These messages were refused by the mail server, or could not be delivered for three days. Please reach the people concerned yourself. ${ownerUrl === null ? CLOSED_CALENDAR_TEXT : SEND_AGAIN_TEXT}`,
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
  { calendar: { timeZone } }: Pick<Input, 'calendar'>,
): MailBlock[] {
  if (problems.length === 0) return []
  const facts = problems
    .slice(0, MAX_LISTED)
    .map(({ what, bookingReference, customerName, startsAt, endsAt, reason }) => ({
      label: what,
      lines: [
        toSingleLine(customerName),
        bookingReference,
        formatAppointmentTime(describeAppointmentTime(startsAt, endsAt, timeZone)),
        toSingleLine(reason),
      ],
    }))
  const rest = problems.length - MAX_LISTED
  const more: MailBlock[] = rest > 0 ? [{ kind: 'paragraph', text: `And ${rest} more.` }] : []
  return [{ kind: 'paragraph', text }, { kind: 'facts', facts }, ...more]
}
