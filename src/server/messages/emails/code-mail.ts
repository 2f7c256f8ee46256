import type { OutgoingMail } from '#server/ports/mailer.ts'
import {
  formatTimeForSubject,
  toAppointmentDetailsBlock,
  toDatesBlock,
  toTimeBlock,
} from './appointment-blocks.ts'
import { MAX_SUBJECT_NAME_LENGTH, toCustomerMail, toMessageIdOccasion } from './appointment-envelope.ts'
import { type AppointmentMailContent, getProfessionalName } from './appointment-facts.ts'
import { toGreeting, toIsolatedName } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'

/**
 * Builds the email with the code by which a customer confirms their email address. Nothing is booked before that.
 * @throws Error when the content has no code
 */
export function buildEmailConfirmationCode(
  given: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return buildCodeMail(given, origin, (facts) => ({
    kind: 'email-code',
    about: `the booking with ${toIsolatedName(getProfessionalName(facts), MAX_SUBJECT_NAME_LENGTH)}`,
    heading: 'Confirm your email address',
    use:
      facts.otherDates === undefined
        ? 'Enter it on the booking page within 15 minutes to book your appointment. We’re holding the time for you until then.'
        : 'Enter it on the booking page within 15 minutes to book your appointments. We’re holding all dates for you until then.',
    button: 'Enter the code',
    otherwise: `If you didn’t want to book ${formatTimeForSubject(facts, 'customer')}, ignore this email and nothing will be booked.`,
  }))
}

/**
 * Builds the email with the code by which a customer can see all their appointments with a practice. Source: rule R8.
 * @throws Error when the content has no code
 */
export function buildCustomerLoginCode(
  given: AppointmentMailContent,
  origin: MailOrigin,
): Promise<OutgoingMail> {
  return buildCodeMail(given, origin, (facts) => ({
    kind: 'customer-code',
    about: `your appointments with ${toIsolatedName(getProfessionalName(facts), MAX_SUBJECT_NAME_LENGTH)}`,
    heading: 'Your code',
    use: `Enter it within 15 minutes on the page of the appointment below to see all your appointments with ${getProfessionalName(facts)}.`,
    button: 'Open your appointment',
    otherwise:
      'If you didn’t ask for it, ignore this email. Nobody can see anything without the code, so don’t share it.',
  }))
}

/** The texts that differ between the emails with a code. */
type CodeTexts = {
  readonly kind: string
  /** The end of the subject: `123456 is your code for …`. */
  readonly about: string
  readonly heading: string
  /** The sentence that says what to do with the code. */
  readonly use: string
  readonly button: string
  /** The sentence that says what to do if somebody else requested the code. */
  readonly otherwise: string
}

/** Builds an email with a code. It has no calendar file, because a code changes no appointment. */
async function buildCodeMail(
  given: AppointmentMailContent,
  origin: MailOrigin,
  toTexts: (facts: AppointmentMailContent) => CodeTexts,
): Promise<OutgoingMail> {
  const { emailCode } = given
  if (emailCode === undefined) throw new Error('an email with a code needs the code')
  return toCustomerMail(given, origin, (facts) => {
    const { kind, about, heading, use, button, otherwise } = toTexts(facts)
    return {
      kind,
      occasion: toMessageIdOccasion(facts),
      subject: `${emailCode} is your code for ${about}`,
      heading,
      preview: `Your code is ${emailCode}.`,
      blocks: [
        { kind: 'paragraph', text: toGreeting(facts.customer.name) },
        { kind: 'paragraph', text: `Your code is ${emailCode}. ${use}` },
        toTimeBlock(facts, 'customer'),
        ...toDatesBlock(facts, 'customer'),
        toAppointmentDetailsBlock(facts, 'customer'),
        { kind: 'button', label: button, url: facts.manageUrl, spelledOut: false },
        { kind: 'paragraph', text: otherwise },
      ],
      attachments: [],
    }
  })
}
