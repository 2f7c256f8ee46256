import { addNameToTitle } from '#core/appointments/calendar-links.ts'
import { type AppointmentMailContent, findPriceText } from './appointment-facts.ts'
import { toIsolatedName, toLines, toSingleLine } from './entered-text.ts'
import { type MailOrigin, toMessageIdHost } from './mail-origin.ts'

/** The texts of calendar entries: in files attached to emails, in events in external calendars, and in the feed. */

/**
 * Returns the UID of an appointment. It is the same in every file, event and feed, so that a calendar program shows one
 * entry. Source: rule M13.
 */
export function toIcalUid(appointmentId: string, { host }: Pick<MailOrigin, 'host'>): string {
  return `${appointmentId}@${toMessageIdHost(host)}`
}

/** Returns the title of a calendar entry, which includes the other person's name. */
export function toEntryTitle(title: string, name: string): string {
  return addNameToTitle(toSingleLine(title), toSingleLine(name))
}

/** Returns the title for the owner's calendar, which includes the customer's name. */
export function toOwnerEventTitle({ title, customer: { name } }: AppointmentMailContent): string {
  return toEntryTitle(title, name)
}

/** Returns the title of a group session for the owner's calendar, such as `Yoga (3 of 8)`. */
export function toSessionTitle(
  title: string,
  { people, seats }: { readonly people: number; readonly seats: number },
): string {
  return `${toSingleLine(title)} (${people} of ${seats})`
}

/** True when `toSessionTitle` returned this text for some number of people. */
export function isSessionTitle(text: string, title: string): boolean {
  const start = toSingleLine(title)
  return text.startsWith(start) && /^ \(\d+ of \d+\)$/.test(text.slice(start.length))
}

/** Lists the people in a group session by name. `names` may lack some of them. */
export function toSessionPeopleText({
  people,
  names,
}: {
  readonly people: number
  readonly names: readonly string[]
}): string {
  const more = people - names.length
  return [
    'Customers:',
    ...names.map((name) => `- ${toIsolatedName(name)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n')
}

/** Returns the customer's name and contact details, for the owner. */
export function toCustomerText({ customer: { name, email, phone } }: AppointmentMailContent): string {
  const parts = [toIsolatedName(name), toSingleLine(email ?? ''), toSingleLine(phone ?? '')].filter(Boolean)
  return `Customer: ${parts.join(', ')}`
}

/** Returns the price and payment status, or the fee note; null when there is nothing to pay. */
export function toPriceText(facts: AppointmentMailContent): string | null {
  const lines = findPriceText(facts)
  return lines === null ? null : `Price: ${lines.join(', ')}`
}

export function toOpenLinkText({ ownerUrl }: AppointmentMailContent): string {
  return `Open the appointment: ${ownerUrl}`
}

export function toNotesText({ description }: AppointmentMailContent): string | null {
  const lines = toLines(description ?? '')
  return lines.join('') === '' ? null : `Notes:\n${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}`
}

export function toReferenceText({ bookingReference }: AppointmentMailContent): string {
  return `Booking reference: ${bookingReference}`
}

export function joinParagraphs(paragraphs: readonly (string | null)[]): string {
  return paragraphs.filter((paragraph) => paragraph !== null).join('\n\n')
}
