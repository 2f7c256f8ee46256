import { listDialableNumbers } from '#server/platform/phone-numbers/parse-phone.ts'
import {
  type AppointmentTime,
  describeAppointmentTime,
  describeDuration,
  describeStartForSubject,
  describeTimeInOtherZone,
} from '#server/records/appointments/appointment-time.ts'
import {
  type AppointmentMailContent,
  customerZoneOf,
  locationOf,
  priceOf,
  professionalOf,
} from './appointment-facts.ts'
import type { MailBlock, MailDetail } from './mail-document.ts'
import { toIsolatedName, toLines, toReadableAddress, toSingleLine } from './typed-text.ts'

/** The reader of an email, in whose time zone it shows times. */
type Reader = 'customer' | 'owner'

/** Returns the time of the appointment in the reader's zone. Source: rule T22. */
export function describeTimeFor(facts: AppointmentMailContent, reader: Reader): AppointmentTime {
  return describeAppointmentTime(facts.startsAt, facts.endsAt, zonesFor(facts, reader).own)
}

function zonesFor(facts: AppointmentMailContent, reader: Reader): { own: string; other: string } {
  const customers = customerZoneOf(facts)
  return reader === 'customer'
    ? { own: customers, other: facts.timeZone }
    : { own: facts.timeZone, other: customers }
}

/**
 * Formats the start for a subject. Names the zone if the other person's clock shows a different time. For an owner,
 * also names it if a clock in the zone of another of their calendars does. Source: rule M22.
 */
export function toSubjectTime(facts: AppointmentMailContent, reader: Reader): string {
  const { startsAt, endsAt, ownerZones = [] } = facts
  const { own, other } = zonesFor(facts, reader)
  return describeStartForSubject(
    { startsAt, endsAt, zone: own },
    other,
    ...(reader === 'owner' ? ownerZones : []),
  )
}

/** Shows the time in the reader's zone, and also in the other person's zone if the clocks differ. */
export function timeBlock(facts: AppointmentMailContent, reader: Reader, state?: 'cancelled'): MailBlock {
  const { startsAt, endsAt } = facts
  const { own, other } = zonesFor(facts, reader)
  const name = reader === 'customer' ? professionalOf(facts) : toIsolatedName(facts.customer.name)
  return {
    kind: 'time',
    time: describeAppointmentTime(startsAt, endsAt, own),
    elsewhere: describeTimeInOtherZone({ startsAt, endsAt, zone: own }, { name, zone: other }),
    cancelled: state === 'cancelled',
  }
}

/** Lists the title, duration and location of the appointment. */
export function bookingDetails(facts: AppointmentMailContent): MailDetail[] {
  const title = toSingleLine(facts.title)
  const type = toSingleLine(facts.typeName ?? '')
  const place = locationOf(facts)
  return [
    { label: 'Appointment', lines: type === '' || type === title ? [title] : [title, type] },
    { label: 'Duration', lines: [describeDuration(facts.startsAt, facts.endsAt)] },
    ...(place === null ? [] : [{ label: 'Location', lines: place }]),
  ]
}

/** Lists the customer's name, email address and phone number, for the owner only. */
export function customerDetails({ customer, timeZone }: AppointmentMailContent): MailDetail[] {
  const email = toSingleLine(customer.email ?? '')
  const phone = toSingleLine(customer.phone ?? '')
  return [
    { label: 'Customer', lines: [toSingleLine(customer.name)] },
    ...(email === ''
      ? []
      : [{ label: 'Email', lines: [toReadableAddress(email)], href: `mailto:${encodeURI(email)}` }]),
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
 * Shows the price and payment status, if there is a price. For a cancelled appointment, a pending payment is not shown.
 */
function priceDetails(facts: AppointmentMailContent, state?: 'cancelled'): MailDetail[] {
  const isOff = state === 'cancelled' && facts.paymentStatus === 'pending'
  const price = priceOf(isOff ? { ...facts, paymentStatus: 'not_required' } : facts)
  return price === null ? [] : [{ label: 'Price', lines: price }]
}

/** Shows the booking reference. */
export function referenceDetail({ bookingReference }: AppointmentMailContent): MailDetail {
  return { label: 'Booking reference', lines: [bookingReference] }
}

/** Shows the notes written by the person who booked, if any. */
export function notesBlock({ description }: AppointmentMailContent, label: string): MailBlock[] {
  const lines = toLines(description ?? '')
  return lines.join('') === '' ? [] : [{ kind: 'notes', label, lines }]
}

/** Shows the message that the owner wrote to all customers of certain days. */
export function ownerNoteBlock(facts: AppointmentMailContent): MailBlock[] {
  const lines = toLines(facts.ownerNote ?? '')
  return lines.join('') === ''
    ? []
    : [{ kind: 'notes', label: `Message from ${professionalOf(facts)}`, lines }]
}

/** Lists the changes that the customer can make to the appointment. Source: rule Q7. */
export function policyBlock({ policyText }: AppointmentMailContent): MailBlock[] {
  return policyText ? [{ kind: 'paragraph', text: policyText }] : []
}

/**
 * Lists the details of an appointment for its reader; the owner also sees those of the customer. `state` is as in
 * `priceDetails`.
 */
export function factsBlock(facts: AppointmentMailContent, reader: Reader, state?: 'cancelled'): MailBlock {
  return {
    kind: 'facts',
    facts: [
      ...(reader === 'owner' ? customerDetails(facts) : []),
      ...bookingDetails(facts),
      ...priceDetails(facts, state),
      referenceDetail(facts),
    ],
  }
}
