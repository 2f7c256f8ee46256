import type ICAL from 'ical.js'

/** What Outlook writes for an event that takes no time. Source: [MS-OXCICAL], X-MICROSOFT-CDO-BUSYSTATUS. */
const NOT_BUSY_STATUSES = new Set(['FREE', 'WORKINGELSEWHERE'])

/**
 * Whether an event takes its owner's time. It does unless it is cancelled, free, declined by the owner, a working location or a
 * birthday. Tentative ones take it. Source: rule G3.
 */
export function isBusyEvent(event: ICAL.Component, ownerAddresses: ReadonlySet<string>): boolean {
  return !(
    is(event, 'status', 'CANCELLED') ||
    is(event, 'transp', 'TRANSPARENT') ||
    NOT_BUSY_STATUSES.has(outlookStatusOf(event)) ||
    isDeclined(event, ownerAddresses) ||
    isBirthday(event)
  )
}

/** The second one is what the organizer suggests; the first is what the owner made of it. */
function outlookStatusOf(event: ICAL.Component): string {
  const own = event.getFirstPropertyValue('x-microsoft-cdo-busystatus')
  return String(own ?? event.getFirstPropertyValue('x-microsoft-cdo-intendedstatus') ?? '').toUpperCase()
}

function isDeclined(event: ICAL.Component, ownerAddresses: ReadonlySet<string>): boolean {
  return event.getAllProperties('attendee').some((attendee) => {
    const address = String(attendee.getFirstValue() ?? '').replace(/^mailto:/i, '')
    const email = attendee.getFirstParameter('email') ?? ''
    const isOwner = ownerAddresses.has(address.toLowerCase()) || ownerAddresses.has(email.toLowerCase())
    return isOwner && (attendee.getFirstParameter('partstat') ?? '').toUpperCase() === 'DECLINED'
  })
}

/**
 * True when an event has an organizer, and it is not the owner. A server may write the owner as the address of their account on it,
 * with their email address beside it. Source: RFC 6638 §3.1.
 */
export function isInvitation(event: ICAL.Component, ownerAddresses: ReadonlySet<string>): boolean {
  const organizer = event.getFirstProperty('organizer')
  if (organizer === null) return false
  const value = String(organizer.getFirstValue() ?? '')
  const address = /^mailto:/i.test(value)
    ? value.slice('mailto:'.length)
    : (organizer.getFirstParameter('email') ?? '')
  return !ownerAddresses.has(address.trim().toLowerCase())
}

/** Programs put birthdays into a category of that name. */
function isBirthday(event: ICAL.Component): boolean {
  const start = event.getFirstPropertyValue('dtstart')
  const isAllDay = typeof start === 'object' && start !== null && 'isDate' in start && start.isDate
  const categories = event.getAllProperties('categories').flatMap((property) => property.getValues())
  return isAllDay === true && categories.some((category) => /^birthdays?$/i.test(String(category).trim()))
}

function is(event: ICAL.Component, name: string, value: string): boolean {
  return String(event.getFirstPropertyValue(name) ?? '').toUpperCase() === value
}
