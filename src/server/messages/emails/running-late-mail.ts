import type { OutgoingMail } from '#server/ports/mailer.ts'
import { describeStart, formatAppointmentTime } from '#server/records/appointments/appointment-time.ts'
import { formatTimeForReader, toAppointmentDetailsBlock } from './appointment-blocks.ts'
import { MAX_SUBJECT_NAME_LENGTH, toCustomerMail } from './appointment-envelope.ts'
import { type AppointmentMailContent, getCustomerClock, getProfessionalName } from './appointment-facts.ts'
import { toGreeting, toIsolatedName } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'

/**
 * Tells the customer that the appointment starts some minutes late. Its time is unchanged, so no calendar file is
 * attached. The owner cannot add text to this email. Source: rule Y4.
 */
export async function buildRunningLate(
  given: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return toCustomerMail(given, origin, (facts) => {
    const who = getProfessionalName(facts)
    const minutes = facts.lateMinutes ?? 0
    const begins = new Date(Date.parse(facts.startsAt) + minutes * 60_000).toISOString()
    const { time } = describeStart(begins, getCustomerClock(facts))
    const text = `We’re running about ${minutes} minutes late. Your appointment with ${who} will start at about ${time}. Sorry about that.`
    return {
      kind: 'running-late',
      occasion: `${minutes}`,
      subject: `Running about ${minutes} minutes late: your appointment with ${toIsolatedName(who, MAX_SUBJECT_NAME_LENGTH)}`,
      heading: `We’re running about ${minutes} minutes late`,
      preview: text,
      blocks: [
        { kind: 'paragraph', text: toGreeting(facts.customer.name) },
        { kind: 'paragraph', text },
        {
          kind: 'paragraph',
          text: `The booked time was ${formatAppointmentTime(formatTimeForReader(facts, 'customer'))}.`,
        },
        toAppointmentDetailsBlock(facts, 'customer'),
        { kind: 'button', label: 'View your booking', url: facts.manageUrl, spelledOut: false },
      ],
      attachments: [],
    }
  })
}
