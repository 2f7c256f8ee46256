import type { ReminderSettings } from '#contract/messages/reminder-settings.ts'
import { renderReminder } from '#core/messages/reminder-template.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { describeStart, formatAppointmentTime } from '#server/records/appointments/appointment-time.ts'
import {
  formatTimeForReader,
  toAppointmentDetailsBlock,
  toCustomerActions,
  toPolicyBlock,
  toTimeBlock,
} from './appointment-blocks.ts'
import { toCustomerMail } from './appointment-envelope.ts'
import { type AppointmentMailContent, getCustomerClock, getProfessionalName } from './appointment-facts.ts'
import { toGreetingName, toIsolatedName, toLines, toSingleLine } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'

/**
 * Reminds the customer, with the owner's text above the same details as in other emails. A reminder changes nothing, so
 * it has no calendar file. Source: rule M18.
 */
export async function buildReminder(
  given: AppointmentMailContent,
  origin: MailOrigin,
  settings: ReminderSettings,
): Promise<OutgoingMail> {
  const mail = toCustomerMail(given, origin, (facts) => {
    const values = {
      ...describeStart(facts.startsAt, getCustomerClock(facts)),
      // Leave out a name that could be a link, even if the owner typed it.
      customer_name: wrapInBidiIsolates(toGreetingName(facts.customer.name)) || 'there',
      calendar_name: toIsolatedName(facts.calendar.name),
    }
    return {
      kind: 'reminder',
      // Fill in the values last, so that the Unicode isolates around names are kept.
      subject: renderReminder(toSingleLine(settings.subject), values),
      heading: 'Your upcoming appointment',
      preview: formatAppointmentTime(formatTimeForReader(facts, 'customer')),
      blocks: [
        ...toParagraphs(settings.template).map((text) => ({
          kind: 'paragraph' as const,
          text: renderReminder(text, values),
        })),
        toTimeBlock(facts, 'customer'),
        ...toCustomerActions(facts),
        toAppointmentDetailsBlock(facts, 'customer'),
        ...toPolicyBlock(facts),
        { kind: 'link', label: 'Cancel this appointment', url: facts.cancelUrl },
      ],
      attachments: [],
    }
  })
  const name = toSingleLine(settings.sender_name) || toSingleLine(getProfessionalName(given))
  const isOwn = settings.sender_email !== origin.from.address
  return {
    ...mail,
    // Send from the product's address, because mail servers accept no other sender. Source: rule M18.
    from: { ...mail.from, name },
    replyTo: isOwn ? { name, address: settings.sender_email } : mail.replyTo,
  }
}

function toParagraphs(text: string): string[] {
  return toLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
