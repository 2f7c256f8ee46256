import {
  type AppointmentMailContent,
  customerZoneOf,
  locationOf,
  priceOf,
  professionalOf,
} from './appointment-facts.ts'
import {
  type AppointmentTime,
  clocksAgree,
  describeDuration,
  describeTime,
  toSentence,
} from './appointment-time.ts'
import type { MailBlock, MailDetail } from './mail-document.ts'
import { toLine, toLines } from './typed-text.ts'

/** In whose zone a message writes times. */
type Reader = 'customer' | 'owner'

/** The time in the reader's words. Source: rule T22. */
export function timeFor(facts: AppointmentMailContent, reader: Reader): AppointmentTime {
  return describeTime(facts.startsAt, facts.endsAt, zonesFor(facts, reader).own)
}

function zonesFor(facts: AppointmentMailContent, reader: Reader): { own: string; other: string } {
  const customers = customerZoneOf(facts)
  return reader === 'customer'
    ? { own: customers, other: facts.timeZone }
    : { own: facts.timeZone, other: customers }
}

/** The start in the subject of an email to a customer. It names its clock where that of the calendar reads another time. */
export function subjectTimeOf(facts: AppointmentMailContent): string {
  const { own, other } = zonesFor(facts, 'customer')
  const { brief, zone } = timeFor(facts, 'customer')
  return zone === '' || clocksAgree(facts.startsAt, own, other) ? brief : `${brief} (${zone})`
}

/** The time in the reader's zone, and in the other person's zone where the clocks differ. */
export function timeBlock(facts: AppointmentMailContent, reader: Reader, state?: 'cancelled'): MailBlock {
  const { startsAt, endsAt } = facts
  const { own, other } = zonesFor(facts, reader)
  const name = reader === 'customer' ? professionalOf(facts) : toLine(facts.customer.name)
  return {
    kind: 'time',
    time: describeTime(startsAt, endsAt, own),
    elsewhere: describeElsewhere({ startsAt, endsAt, zone: own }, { name, zone: other }),
    cancelled: state === 'cancelled',
  }
}

/** The same time on the clock of somebody else: `For Ada: 9:30 AM – 10:00 AM (London time, GMT)`. Null where both clocks read the same. */
export function describeElsewhere(
  { startsAt, endsAt, zone }: { readonly startsAt: string; readonly endsAt: string; readonly zone: string },
  other: { readonly name: string; readonly zone: string },
): string | null {
  if ([startsAt, endsAt].every((instant) => clocksAgree(instant, zone, other.zone))) return null
  const time = inOtherZone(describeTime(startsAt, endsAt, zone), describeTime(startsAt, endsAt, other.zone))
  return `For ${other.name}: ${time}`
}

/** The date is written again only when it differs. */
function inOtherZone(time: AppointmentTime, other: AppointmentTime): string {
  return other.date === time.date ? `${other.clock} (${other.zone})` : toSentence(other)
}

/** What is booked, how long, and where. */
export function bookingDetails(facts: AppointmentMailContent): MailDetail[] {
  const title = toLine(facts.title)
  const type = toLine(facts.typeName ?? '')
  const place = locationOf(facts)
  return [
    { label: 'Appointment', lines: type === '' || type === title ? [title] : [title, type] },
    { label: 'Duration', lines: [describeDuration(facts.startsAt, facts.endsAt)] },
    ...(place === null ? [] : [{ label: 'Location', lines: place }]),
  ]
}

/** Who booked, for the owner's eyes only. */
export function customerDetails({ customer }: AppointmentMailContent): MailDetail[] {
  const email = toLine(customer.email ?? '')
  const phone = toLine(customer.phone ?? '')
  return [
    { label: 'Customer', lines: [toLine(customer.name)] },
    ...(email === '' ? [] : [{ label: 'Email', lines: [email], href: `mailto:${encodeURI(email)}` }]),
    ...(phone === ''
      ? []
      : [{ label: 'Phone', lines: [phone], href: `tel:${phone.replace(/[^\d+]/g, '')}` }]),
  ]
}

/** The price and its payment, when there is one. For a cancelled appointment no payment is expected any more. */
export function priceDetails(facts: AppointmentMailContent, state?: 'cancelled'): MailDetail[] {
  const isOff = state === 'cancelled' && facts.paymentStatus === 'pending'
  const price = priceOf(isOff ? { ...facts, paymentStatus: 'not_required' } : facts)
  return price === null ? [] : [{ label: 'Price', lines: price }]
}

/** The reference and the names that both sides use. */
export function referenceDetail({ bookingReference }: AppointmentMailContent): MailDetail {
  return { label: 'Booking reference', lines: [bookingReference] }
}

/** What the customer or, for an appointment that the owner made, the owner noted, when there is anything. */
export function notesBlock({ description }: AppointmentMailContent, label: string): MailBlock[] {
  const lines = toLines(description ?? '')
  return lines.join('') === '' ? [] : [{ kind: 'notes', label, lines }]
}

/** What the owner wrote to all customers of some days. */
export function ownerNoteBlock(facts: AppointmentMailContent): MailBlock[] {
  const lines = toLines(facts.ownerNote ?? '')
  return lines.join('') === ''
    ? []
    : [{ kind: 'notes', label: `Message from ${professionalOf(facts)}`, lines }]
}

/** What the customer may change about the appointment. Source: rule Q7. */
export function policyBlock({ policyText }: AppointmentMailContent): MailBlock[] {
  return policyText ? [{ kind: 'paragraph', text: policyText }] : []
}
