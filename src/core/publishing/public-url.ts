/** What an owner has chosen as the address of a calendar. */
export type DomainSettings = {
  readonly type: 'path' | 'subdomain' | 'custom'
  readonly path: string | null
  readonly subdomain: string | null
  readonly customDomain: string | null
}

/** What decides where a calendar is reached. Source: rule I1. */
export type CalendarAddress = {
  readonly slug: string
  /** Null when it has no path besides its slug. */
  readonly path: string | null
  /** Its verified host that is in use now; null where it has none. */
  readonly host: string | null
}

/**
 * The booking page of a calendar, as every link to it has it. `origin` is the address of the installation from its settings, without a
 * slash at its end. The host that a request names is never used, because anybody can send any. Source: rules C6, I1 and J5.
 */
export function publicUrlOf(address: CalendarAddress, origin: string): string {
  return address.host === null ? toPathAddress(address, origin) : toHostAddress(address.host, origin)
}

/** The site that has the pages of a calendar's customers: its own host, or the installation. Source: rule J5. */
export function customerSiteOf({ host }: Pick<CalendarAddress, 'host'>, origin: string): string {
  return host === null ? origin : toHostAddress(host, origin)
}

/** The page on which the customer sees what was booked. Only on the installation does its path name the calendar. Source: rule J5. */
export function confirmationUrlOf(address: CalendarAddress, origin: string, appointmentId: string): string {
  const page = address.host === null ? `/book/${address.slug}/confirmation` : '/confirmation'
  return `${customerSiteOf(address, origin)}${page}?appointment_id=${appointmentId}`
}

/** The customer's page of an appointment, on the same site as another link of the email. Source: rules J5 and R1. */
export function manageUrlOf(otherUrl: string, token: string): string {
  const [scheme, , host] = otherUrl.split('/')
  return `${scheme}//${host}/manage/${token}`
}

/**
 * The address of a host name of a calendar: with the scheme and the port of the installation, and without a slash at its end. Source: rule I1.
 */
function toHostAddress(host: string, origin: string): string {
  const [scheme, ownHost = ''] = origin.split('://', 2)
  const port = /:\d+$/.exec(ownHost)?.[0] ?? ''
  return `${scheme}://${host}${port}`
}

/** The path address of a calendar: its own path, else its slug. Source: rule I1. */
function toPathAddress(
  { path, slug }: { readonly path: string | null; readonly slug: string },
  origin: string,
): string {
  return `${origin}/book/${path ?? slug}`
}
