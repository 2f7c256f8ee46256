import type { OutgoingMail } from '#server/ports/mailer.ts'
import {
  describeAppointmentTime,
  formatAppointmentTime,
} from '#server/records/appointments/appointment-time.ts'
import {
  formatTimeForReader,
  formatTimeForSubject,
  toAppointmentDetailsBlock,
  toTimeBlock,
} from './appointment-blocks.ts'
import { MAX_SUBJECT_NAME_LENGTH, toOwnerMail } from './appointment-envelope.ts'
import type { AppointmentMailContent } from './appointment-facts.ts'
import { toIsolatedName } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'

/** A change in the external calendar that could not be applied to the appointment. */
type RefusedChange = {
  /** Distinguishes several changes to one appointment. */
  readonly changeId: string
  /** The new time of the event (RFC 3339 instants); null when it is not a single time. */
  readonly wanted: { readonly startsAt: string; readonly endsAt: string } | null
  /** The reason, as a sentence. */
  readonly reason: string
  /** False while 'Auto Sync' is off: the event is then not rewritten. */
  readonly isWritten: boolean
  /** The title of the group session whose event it is; null for the event of one appointment. */
  readonly sessionTitle: string | null
}

/**
 * Tells the owner that the change to the event could not be applied to the appointment, why, and what happens to the
 * event. Source: rule G12.
 */
export async function buildOwnerEventRestored(
  facts: AppointmentMailContent,
  { changeId, wanted, reason, isWritten, sessionTitle }: RefusedChange,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const time = formatTimeForReader(facts, 'owner')
  const name = toIsolatedName(sessionTitle ?? facts.customer.name)
  const [what, subject] =
    sessionTitle === null
      ? ['appointment', `The appointment with ${name}`]
      : ['session', `The session “${name}”`]
  const there =
    wanted === null
      ? 'to something other than a single time'
      : `to ${formatAppointmentTime(describeAppointmentTime(wanted.startsAt, wanted.endsAt, facts))}`
  const heading = isWritten ? 'Event put back' : 'Calendar change not applied'
  // A reply would reach one customer of a session.
  const addressed = sessionTitle === null ? facts : { ...facts, customer: { ...facts.customer, email: null } }
  return toOwnerMail(addressed, origin, {
    kind: 'owner-event-put-back',
    occasion: changeId,
    subject: `${heading}: ${toIsolatedName(name, MAX_SUBJECT_NAME_LENGTH)}, ${formatTimeForSubject(facts, 'owner')}`,
    heading,
    preview: formatAppointmentTime(time),
    blocks: [
      {
        kind: 'paragraph',
        text: `${subject} was changed in your external calendar ${there}. We couldn’t move the ${what}: ${reason}`,
      },
      {
        kind: 'paragraph',
        text: isWritten
          ? 'It takes place at the original time, and we’ve restored its event there. Nobody else was emailed.'
          : 'It takes place at the original time. Its event there stays as you changed it, because Auto Sync is off. Nobody else was emailed.',
      },
      toTimeBlock(facts, 'owner'),
      // The details are those of one customer.
      ...(sessionTitle === null ? [toAppointmentDetailsBlock(facts, 'owner')] : []),
      { kind: 'button', label: 'Open the appointment', url: facts.ownerUrl, spelledOut: false },
    ],
    attachments: [],
  })
}
