import { buildCalendarLinks, type CalendarEntry } from '#core/appointments/calendar-links.ts'
import { listDialableNumbers } from '#server/platform/phone-numbers/parse-phone.ts'
import {
  type AppointmentTime,
  describeAppointmentTime,
  describeDuration,
  describeStartForSubject,
  describeTimeInOtherZone,
  formatAppointmentTime,
} from '#server/records/appointments/appointment-time.ts'
import {
  type AppointmentMailContent,
  describeLocation,
  findPriceText,
  getCustomerTimeZone,
  getProfessionalName,
} from './appointment-facts.ts'
import { toIsolatedName, toLines, toReadableEmailAddress, toSingleLine } from './entered-text.ts'
import { joinParagraphs, toEntryTitle, toReferenceText } from './event-texts.ts'
import type { MailBlock, MailDetail } from './mail-document.ts'

/** The reader of an email, in whose time zone it shows times. */
type Reader = 'customer' | 'owner'

/** Returns the time of the appointment in the reader's zone. Source: rule T22. */
export function formatTimeForReader(facts: AppointmentMailContent, reader: Reader): AppointmentTime {
  const { startsAt, endsAt, hourCycle } = facts
  return describeAppointmentTime(startsAt, endsAt, { timeZone: zonesFor(facts, reader).own, hourCycle })
}

function zonesFor(facts: AppointmentMailContent, reader: Reader): { own: string; other: string } {
  const customers = getCustomerTimeZone(facts)
  return reader === 'customer'
    ? { own: customers, other: facts.timeZone }
    : { own: facts.timeZone, other: customers }
}

/**
 * Formats the start for a subject. Names the zone if the other person's clock shows a different time. For an owner,
 * also names it if a clock in the zone of another of their calendars does. Source: rule M22.
 */
export function formatTimeForSubject(facts: AppointmentMailContent, reader: Reader): string {
  const { startsAt, endsAt, hourCycle, ownerZones = [] } = facts
  const { own, other } = zonesFor(facts, reader)
  return describeStartForSubject(
    { startsAt, endsAt, timeZone: own, hourCycle },
    other,
    ...(reader === 'owner' ? ownerZones : []),
  )
}

/** Shows the time in the reader's zone, and also in the other person's zone if the clocks differ. */
export function toTimeBlock(facts: AppointmentMailContent, reader: Reader, state?: 'cancelled'): MailBlock {
  const time = { startsAt: facts.startsAt, endsAt: facts.endsAt, hourCycle: facts.hourCycle }
  const { own, other } = zonesFor(facts, reader)
  const name = reader === 'customer' ? getProfessionalName(facts) : toIsolatedName(facts.customer.name)
  return {
    kind: 'time',
    time: formatTimeForReader(facts, reader),
    elsewhere: describeTimeInOtherZone({ ...time, timeZone: own }, { name, timeZone: other }),
    cancelled: state === 'cancelled',
  }
}

/** Lists all dates of a series in the reader's zone, if the email is about several. Source: rule B43. */
export function toDatesBlock(facts: AppointmentMailContent, reader: Reader): MailBlock[] {
  if (facts.otherDates === undefined) return []
  const lines = [facts, ...facts.otherDates].map((each) =>
    formatAppointmentTime(formatTimeForReader(each, reader)),
  )
  return [{ kind: 'facts', facts: [{ label: 'Dates', lines }] }]
}

/** Like `toDatesBlock`, with a link from each date to its page, where the customer can move or cancel it. */
export function toLinkedDatesBlock(facts: AppointmentMailContent): MailBlock[] {
  if (facts.otherDates === undefined) return []
  const choices = [facts, ...facts.otherDates].map((each) => ({
    label: formatAppointmentTime(formatTimeForReader(each, 'customer')),
    url: each.manageUrl,
  }))
  return [{ kind: 'choices', label: 'Dates', choices }]
}

/**
 * Returns the actions that follow the time in emails to the customer: add the appointment to their own calendar, and
 * move or cancel it. Source: rule M13.
 */
export function toCustomerActions(facts: AppointmentMailContent): MailBlock[] {
  const { google, outlook } = buildCalendarLinks(toCustomerEntry(facts))
  const { calendarFileUrl } = facts
  return [
    {
      kind: 'choices',
      label: 'Add to calendar',
      choices: [
        { label: 'Google', url: google },
        { label: 'Outlook', url: outlook },
        ...(calendarFileUrl === undefined ? [] : [{ label: 'File', url: calendarFileUrl }]),
      ],
    },
    toChangeButton(facts),
  ]
}

/** Returns the button to the customer's page, which names only what the policy allows. Source: rule Q7. */
export function toChangeButton({ movesAlone, manageUrl }: AppointmentMailContent): MailBlock {
  const label = movesAlone ? 'Move or cancel' : 'View or cancel'
  return { kind: 'button', label, url: manageUrl, spelledOut: false }
}

/** Returns the appointment as an entry in the customer's calendar, without their notes, which only the file contains. */
function toCustomerEntry(facts: AppointmentMailContent): CalendarEntry {
  const { startsAt, endsAt, title, manageUrl } = facts
  return {
    startsMs: Date.parse(startsAt),
    endsMs: Date.parse(endsAt),
    title: toEntryTitle(title, getProfessionalName(facts)),
    location: describeLocation(facts)?.join(', ') ?? null,
    details: joinParagraphs([toReferenceText(facts), `View your booking: ${manageUrl}`]),
  }
}

/** Lists the title, duration and location of the appointment. */
export function toBookingDetails(facts: AppointmentMailContent): MailDetail[] {
  const title = toSingleLine(facts.title)
  const type = toSingleLine(facts.typeName ?? '')
  const place = describeLocation(facts)
  return [
    { label: 'Appointment', lines: type === '' || type === title ? [title] : [title, type] },
    { label: 'Duration', lines: [describeDuration(facts.startsAt, facts.endsAt)] },
    ...(place === null ? [] : [{ label: 'Location', lines: place }]),
  ]
}

/** Lists the customer's name, email address and phone number, for the owner only. */
export function toCustomerDetails({ customer, timeZone }: AppointmentMailContent): MailDetail[] {
  const email = toSingleLine(customer.email ?? '')
  const phone = toSingleLine(customer.phone ?? '')
  return [
    { label: 'Customer', lines: [toSingleLine(customer.name)] },
    ...(email === ''
      ? []
      : [{ label: 'Email', lines: [toReadableEmailAddress(email)], href: `mailto:${encodeURI(email)}` }]),
    ...(phone === '' ? [] : phoneDetails(phone, timeZone)),
  ]
}

/** Shows the phone field as entered. If it contains two numbers, each gets its own link. Source: rule Y15. */
function phoneDetails(phone: string, timeZone: string): MailDetail[] {
  const numbers = listDialableNumbers(phone, timeZone)
  const [only] = numbers
  if (only !== undefined && numbers.length === 1) {
    return [{ label: 'Phone', lines: [phone], href: `tel:${only.dials}` }]
  }
  return [
    { label: 'Phone', lines: [phone] },
    ...numbers.map(({ typed, dials }) => ({ label: 'Call', lines: [typed], href: `tel:${dials}` })),
  ]
}

/**
 * Shows the price and payment status, or the fee note. For a cancelled appointment, a pending payment and the fee note
 * are not shown.
 */
function priceDetails(facts: AppointmentMailContent, state?: 'cancelled'): MailDetail[] {
  const paymentStatus = facts.paymentStatus === 'pending' ? 'not_required' : facts.paymentStatus
  const price = findPriceText(state === 'cancelled' ? { ...facts, paymentStatus, feeNote: null } : facts)
  return price === null ? [] : [{ label: 'Price', lines: price }]
}

/** Shows the booking reference. */
export function toReferenceDetail({ bookingReference }: AppointmentMailContent): MailDetail {
  return { label: 'Booking reference', lines: [bookingReference] }
}

/** Shows the notes written by the person who booked, if any. */
export function toNotesBlock({ description }: AppointmentMailContent, label: string): MailBlock[] {
  const lines = toLines(description ?? '')
  return lines.join('') === '' ? [] : [{ kind: 'notes', label, lines }]
}

/** Shows the message that the owner wrote to all customers of certain days. */
export function toOwnerNoteBlock(facts: AppointmentMailContent): MailBlock[] {
  const lines = toLines(facts.ownerNote ?? '')
  return lines.join('') === ''
    ? []
    : [{ kind: 'notes', label: `Message from ${getProfessionalName(facts)}`, lines }]
}

/** Lists the changes that the customer can make to the appointment. Source: rule Q7. */
export function toPolicyBlock({ policyText }: AppointmentMailContent): MailBlock[] {
  return policyText ? [{ kind: 'paragraph', text: policyText }] : []
}

/**
 * Lists the details of an appointment for its reader; the owner also sees those of the customer. `state` is as in
 * `priceDetails`.
 */
export function toAppointmentDetailsBlock(
  facts: AppointmentMailContent,
  reader: Reader,
  state?: 'cancelled',
): MailBlock {
  return {
    kind: 'facts',
    facts: [
      ...(reader === 'owner' ? toCustomerDetails(facts) : []),
      ...toBookingDetails(facts),
      ...priceDetails(facts, state),
      toReferenceDetail(facts),
    ],
  }
}
