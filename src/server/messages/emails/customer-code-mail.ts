import type { OutgoingMail } from '#server/ports/mailer.ts'
import { bookingDetails, priceDetails, referenceDetail, timeBlock } from './appointment-blocks.ts'
import { SUBJECT_NAME_LENGTH, toCustomerMail, toOccasion } from './appointment-envelope.ts'
import { type AppointmentMailContent, professionalOf } from './appointment-facts.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toGreeting, toIsolatedName } from './typed-text.ts'

/**
 * Sends the code with which a customer can see all their appointments with a practice. Source: rule R8.
 * @throws Error when the content has no code
 */
export async function buildCustomerCode(
  given: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  const { emailCode } = given
  if (emailCode === undefined) throw new Error('an email with a code needs the code')
  return toCustomerMail(given, origin, (facts) => {
    const who = professionalOf(facts)
    return {
      kind: 'customer-code',
      occasion: toOccasion(facts),
      subject: `${emailCode} is your code for your appointments with ${toIsolatedName(who, SUBJECT_NAME_LENGTH)}`,
      heading: 'Your code',
      preview: `Your code is ${emailCode}.`,
      blocks: [
        { kind: 'paragraph', text: toGreeting(facts.customer.name) },
        {
          kind: 'paragraph',
          text: `Your code is ${emailCode}. Type it within 15 minutes on the page of the appointment below, and it shows all your appointments with ${who}.`,
        },
        timeBlock(facts, 'customer'),
        { kind: 'facts', facts: [...bookingDetails(facts), ...priceDetails(facts), referenceDetail(facts)] },
        { kind: 'button', label: 'Open your appointment', url: facts.manageUrl, spelledOut: false },
        {
          kind: 'paragraph',
          text: 'If you did not ask for it, please ignore this email. Nobody sees anything without the code, so pass it on to nobody.',
        },
      ],
      attachments: [],
    }
  })
}
