import { moveUrlAt } from '#core/addresses/public-url.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { describeStart, formatAppointmentTime } from '#server/records/appointments/appointment-time.ts'
import {
  formatTimeForReader,
  formatTimeForSubject,
  toAppointmentDetailsBlock,
  toOwnerNoteBlock,
} from './appointment-blocks.ts'
import { MAX_SUBJECT_NAME_LENGTH, toCustomerMail, toMessageIdOccasion } from './appointment-envelope.ts'
import { type AppointmentMailContent, getCustomerClock, getProfessionalName } from './appointment-facts.ts'
import { toGreeting, toIsolatedName } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'

/**
 * Asks the customer to choose another time, because the owner is not available at the booked time. The appointment is
 * unchanged until then, so no calendar file is attached. Source: rule A23.
 */
export async function buildNewTimes(
  given: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return toCustomerMail(given, origin, (facts) => {
    const who = getProfessionalName(facts)
    const time = formatTimeForReader(facts, 'customer')
    const clock = getCustomerClock(facts)
    const choices = (facts.offeredTimes ?? []).map((startsAt) => {
      const start = describeStart(startsAt, clock)
      return { label: `${start.date} at ${start.time}`, url: moveUrlAt(facts.manageUrl, startsAt) }
    })
    return {
      kind: 'new-times',
      occasion: toMessageIdOccasion(facts),
      subject: `Please choose another time: ${formatTimeForSubject(facts, 'customer')} with ${toIsolatedName(who, MAX_SUBJECT_NAME_LENGTH)}`,
      heading: 'Please choose another time',
      preview: `Your appointment can’t take place on ${formatAppointmentTime(time)}.`,
      blocks: [
        { kind: 'paragraph', text: toGreeting(facts.customer.name) },
        {
          kind: 'paragraph',
          text: `Your appointment with ${who} can’t take place on ${formatAppointmentTime(time)}. Please choose another time.`,
        },
        ...toOwnerNoteBlock(facts),
        ...(choices.length === 0
          ? []
          : [{ kind: 'choices', label: 'Times available now', choices } as const]),
        { kind: 'button', label: 'Choose another time', url: facts.manageUrl, spelledOut: true },
        toAppointmentDetailsBlock(facts, 'customer'),
      ],
      attachments: [],
    }
  })
}
