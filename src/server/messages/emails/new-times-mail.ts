import type { OutgoingMail } from '#server/ports/mailer.ts'
import { describeStart, formatAppointmentTime } from '#server/records/appointments/appointment-time.ts'
import { describeTimeFor, factsBlock, ownerNoteBlock, toSubjectTime } from './appointment-blocks.ts'
import { SUBJECT_NAME_LENGTH, toCustomerMail, toOccasion } from './appointment-envelope.ts'
import { type AppointmentMailContent, customerZoneOf, professionalOf } from './appointment-facts.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toGreeting, toIsolatedName } from './typed-text.ts'

/**
 * Asks the customer to choose another time, because the owner is not available at the booked time. The appointment is
 * unchanged until then, so no calendar file is attached. Source: rule A23.
 */
export async function buildNewTimes(
  given: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return toCustomerMail(given, origin, (facts) => {
    const who = professionalOf(facts)
    const time = describeTimeFor(facts, 'customer')
    const zone = customerZoneOf(facts)
    const times = (facts.offeredTimes ?? []).map((startsAt) => {
      const start = describeStart(startsAt, zone)
      return `${start.date} at ${start.time}`
    })
    return {
      kind: 'new-times',
      occasion: toOccasion(facts),
      subject: `Please choose another time: ${toSubjectTime(facts, 'customer')} with ${toIsolatedName(who, SUBJECT_NAME_LENGTH)}`,
      heading: 'Please Choose Another Time',
      preview: `Your appointment cannot take place on ${formatAppointmentTime(time)}.`,
      blocks: [
        { kind: 'paragraph', text: toGreeting(facts.customer.name) },
        {
          kind: 'paragraph',
          text: `Your appointment with ${who} cannot take place on ${formatAppointmentTime(time)}. Please choose another time.`,
        },
        ...ownerNoteBlock(facts),
        ...(times.length === 0
          ? []
          : [{ kind: 'notes', label: 'Times that are free now', lines: times } as const]),
        { kind: 'button', label: 'Choose another time', url: facts.manageUrl, spelledOut: true },
        factsBlock(facts, 'customer'),
      ],
      attachments: [],
    }
  })
}
