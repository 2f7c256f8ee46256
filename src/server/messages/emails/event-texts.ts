import { type AppointmentMailContent, priceOf } from './appointment-facts.ts'
import { type MailOrigin, toIdHost } from './mail-origin.ts'
import { toIsolatedName, toLines, toSingleLine } from './typed-text.ts'

/** What an entry in a calendar says, be it a file in an email, an event in an external calendar, or in the feed. */

/** The same in every file, event and feed, so that a calendar program shows one entry. Source: rule M13. */
export function toIcalUid(appointmentId: string, { host }: Pick<MailOrigin, 'host'>): string {
  return `${appointmentId}@${toIdHost(host)}`
}

/** A title that names the other person, once. */
export function withName(title: string, name: string): string {
  const line = toSingleLine(title)
  return line.includes(name) ? line : [line, name].filter(Boolean).join(' · ')
}

/** The title for the owner, who has many customers. */
export function ownerTitle({ title, customer: { name } }: AppointmentMailContent): string {
  return withName(title, toSingleLine(name))
}

/** How to reach the customer, for the owner. */
export function customerText({ customer: { name, email, phone } }: AppointmentMailContent): string {
  const parts = [toIsolatedName(name), toSingleLine(email ?? ''), toSingleLine(phone ?? '')].filter(Boolean)
  return `Customer: ${parts.join(', ')}`
}

/** Null when there is nothing to pay. */
export function priceText(facts: AppointmentMailContent): string | null {
  const lines = priceOf(facts)
  return lines === null ? null : `Price: ${lines.join(', ')}`
}

export function openLinkText({ ownerUrl }: AppointmentMailContent): string {
  return `Open the appointment: ${ownerUrl}`
}

export function notesText({ description }: AppointmentMailContent): string | null {
  const lines = toLines(description ?? '')
  return lines.join('') === '' ? null : `Notes:\n${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}`
}

export function referenceText({ bookingReference }: AppointmentMailContent): string {
  return `Booking reference: ${bookingReference}`
}

export function joinParagraphs(paragraphs: readonly (string | null)[]): string {
  return paragraphs.filter((paragraph) => paragraph !== null).join('\n\n')
}
