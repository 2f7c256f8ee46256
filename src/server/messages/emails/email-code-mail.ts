import type { OutgoingMail } from '#server/ports/mailer.ts'
import {
  bookingDetails,
  priceDetails,
  referenceDetail,
  timeBlock,
  toSubjectTime,
} from './appointment-blocks.ts'
import { SUBJECT_NAME_LENGTH, toCustomerMail, toOccasion } from './appointment-envelope.ts'
import { type AppointmentMailContent, professionalOf } from './appointment-facts.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toGreeting, toIsolatedName } from './typed-text.ts'

/**
 * Sends the code with which a customer confirms their email address. Nothing is booked before that, so no calendar file
 * is attached.
 * @throws Error when the content has no code
 */
export async function buildEmailCode(
  given: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const { emailCode } = given
  if (emailCode === undefined) throw new Error('an email with a code needs the code')
  return toCustomerMail(given, origin, (facts) => {
    const who = professionalOf(facts)
    return {
      kind: 'email-code',
      occasion: toOccasion(facts),
      subject: `${emailCode} is your code for the booking with ${toIsolatedName(who, SUBJECT_NAME_LENGTH)}`,
      heading: 'Confirm your email address',
      preview: `Your code is ${emailCode}.`,
      blocks: [
        { kind: 'paragraph', text: toGreeting(facts.customer.name) },
        {
          kind: 'paragraph',
          text: `Your code is ${emailCode}. Type it on the booking page within 15 minutes. Your appointment is booked once you have typed it; until then the time is held for you.`,
        },
        timeBlock(facts, 'customer'),
        { kind: 'facts', facts: [...bookingDetails(facts), ...priceDetails(facts), referenceDetail(facts)] },
        { kind: 'button', label: 'Type the code', url: facts.manageUrl, spelledOut: false },
        {
          kind: 'paragraph',
          text: `If you did not want to book ${toSubjectTime(facts, 'customer')}, please ignore this email. Nothing is booked then.`,
        },
      ],
      attachments: [],
    }
  })
}
