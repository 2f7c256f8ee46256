/** The address settings that an owner chose for a calendar. */
export type DomainSettings = {
  readonly type: 'path' | 'subdomain' | 'custom'
  readonly path: string | null
  readonly subdomain: string | null
  readonly customDomain: string | null
}

/** The facts that decide a calendar's public address. Source: rule I1. */
export type CalendarAddress = {
  readonly slug: string
  /** The custom path; null when only the slug is used. */
  readonly path: string | null
  /** The verified host in use; null when there is none. */
  readonly host: string | null
}

/**
 * Returns the public URL of a calendar's booking page. `origin` comes from the settings, without a trailing slash.
 * Never use the Host header, because clients can send any value. Source: rules C6, I1 and J5.
 */
export function publicUrlOf(address: CalendarAddress, origin: string): string {
  return address.host === null ? toPathAddress(address, origin) : toHostAddress(address.host, origin)
}

/** Returns the origin of the customer pages: the calendar's own host, or the installation. Source: rule J5. */
export function customerPagesOriginOf({ host }: Pick<CalendarAddress, 'host'>, origin: string): string {
  return host === null ? origin : toHostAddress(host, origin)
}

/**
 * Returns the URL of the confirmation page. Only on the installation does the path contain the slug. Source: rule J5.
 */
export function confirmationUrlOf(address: CalendarAddress, origin: string, appointmentId: string): string {
  const page = address.host === null ? `/book/${address.slug}/confirmation` : '/confirmation'
  return `${customerPagesOriginOf(address, origin)}${page}?appointment_id=${appointmentId}`
}

/**
 * Returns the URL of the customer's appointment page, on the same origin as another link in the email. Source: rules J5
 * and R1.
 */
export function manageUrlOf(otherUrl: string, token: string): string {
  const [scheme, , host] = otherUrl.split('/')
  return `${scheme}//${host}/manage/${token}`
}

/**
 * Returns the URL of the calendar file of an appointment, on the same origin as another link in the email. Source: rule
 * M13.
 */
export function calendarFileUrlOf(otherUrl: string, token: string): string {
  const [scheme, , host] = otherUrl.split('/')
  return `${scheme}//${host}/api/public/manage/${token}/appointment.ics`
}

/** The query parameters of a link that opens the booking page or the page of an appointment with a time chosen. */
export const CHOSEN_START_PARAM = 'start'
export const CHOSEN_TYPE_PARAM = 'type'

/**
 * Returns the URL of a booking page that opens with a time chosen, and with its type unless the calendar has none.
 * `startsAt` is an instant.
 */
export function bookingUrlAt(bookUrl: string, startsAt: string, typeId: string | null): string {
  return typeUrlOf(withParam(bookUrl, CHOSEN_START_PARAM, startsAt), typeId)
}

/** Returns the URL of a booking page that opens with an appointment type chosen, if there is one. Source: rule T66. */
export function typeUrlOf(bookUrl: string, typeId: string | null): string {
  return typeId === null ? bookUrl : withParam(bookUrl, CHOSEN_TYPE_PARAM, typeId)
}

/** Returns the URL of the customer's appointment page that opens with a new time chosen. `startsAt` is an instant. */
export function moveUrlAt(manageUrl: string, startsAt: string): string {
  return withParam(manageUrl, CHOSEN_START_PARAM, startsAt)
}

/** Adds a query parameter to a URL, before its fragment. */
function withParam(url: string, name: string, value: string): string {
  const [page = '', ...fragment] = url.split('#')
  const separator = page.includes('?') ? '&' : '?'
  return [`${page}${separator}${name}=${encodeURIComponent(value)}`, ...fragment].join('#')
}

/**
 * Returns the origin of a calendar's host, with the installation's scheme and port and without a trailing slash.
 * Source: rule I1.
 */
function toHostAddress(host: string, origin: string): string {
  const [scheme, ownHost = ''] = origin.split('://', 2)
  const port = /:\d+$/.exec(ownHost)?.[0] ?? ''
  return `${scheme}://${host}${port}`
}

/** Returns the path-based URL of a calendar: its custom path, else its slug. Source: rule I1. */
function toPathAddress(
  { path, slug }: { readonly path: string | null; readonly slug: string },
  origin: string,
): string {
  return `${origin}/book/${path ?? slug}`
}
