import { type ContentLine, unescapeText } from './content-line.ts'

/** Outlook's busy statuses that occupy no time. Source: [MS-OXCICAL], X-MICROSOFT-CDO-BUSYSTATUS. */
const NOT_BUSY_STATUSES = new Set(['FREE', 'WORKINGELSEWHERE'])

/**
 * True when an event occupies its owner's time: it is not cancelled, marked as free, declined by the owner, a working
 * location or a birthday. Tentative events count. Source: rule G3.
 */
export function isBusyEvent(lines: readonly ContentLine[], ownerAddresses: ReadonlySet<string>): boolean {
  return !(
    hasLine(lines, 'STATUS', 'CANCELLED') ||
    hasLine(lines, 'TRANSP', 'TRANSPARENT') ||
    NOT_BUSY_STATUSES.has(outlookStatusOf(lines)) ||
    isDeclined(lines, ownerAddresses) ||
    isBirthday(lines)
  )
}

/** Returns the owner's own busy status in Outlook, or else the status that the organizer intended. */
function outlookStatusOf(lines: readonly ContentLine[]): string {
  const own = findPropertyText(lines, 'X-MICROSOFT-CDO-BUSYSTATUS')
  return (own ?? findPropertyText(lines, 'X-MICROSOFT-CDO-INTENDEDSTATUS') ?? '').toUpperCase()
}

function isDeclined(lines: readonly ContentLine[], ownerAddresses: ReadonlySet<string>): boolean {
  return lines.some(({ name, parameters, value }) => {
    if (name !== 'ATTENDEE' || parameters.get('PARTSTAT')?.toUpperCase() !== 'DECLINED') return false
    const address = value.replace(/^mailto:/i, '').trim()
    const email = parameters.get('EMAIL') ?? ''
    return ownerAddresses.has(address.toLowerCase()) || ownerAddresses.has(email.toLowerCase())
  })
}

/**
 * True when an event has an organizer other than the owner. A server can identify the owner by the URL of their
 * account, with or without their email address. Source: RFC 6638 §2.4.1 and §3.1.
 */
export function isInvitation(lines: readonly ContentLine[], ownerAddresses: ReadonlySet<string>): boolean {
  return lines.some(({ name, parameters, value }) => {
    if (name !== 'ORGANIZER') return false
    const address = /^mailto:/i.test(value)
      ? value.slice('mailto:'.length)
      : (parameters.get('EMAIL') ?? value)
    return !ownerAddresses.has(address.trim().toLowerCase())
  })
}

/** True when an event is a birthday: calendar programs give birthdays a category of that name. */
function isBirthday(lines: readonly ContentLine[]): boolean {
  const isAllDay = /^\d{8}$/.test(findPropertyText(lines, 'DTSTART') ?? '')
  const categories = lines.flatMap(({ name, value }) =>
    name === 'CATEGORIES' ? unescapeText(value).split(',') : [],
  )
  return isAllDay && categories.some((category) => /^birthdays?$/i.test(category.trim()))
}

function hasLine(lines: readonly ContentLine[], name: string, value: string): boolean {
  return (findPropertyText(lines, name) ?? '').toUpperCase() === value
}

export function findPropertyText(lines: readonly ContentLine[], name: string): string | undefined {
  return lines.find((line) => line.name === name)?.value
}
