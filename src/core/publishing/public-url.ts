import { toHostAddress, toPathAddress } from './host-address.ts'

/** What an owner has chosen as the address of a calendar. */
export type DomainSettings = {
  readonly type: 'path' | 'subdomain' | 'custom'
  readonly path: string | null
  readonly subdomain: string | null
  readonly customDomain: string | null
}

/** What decides where a calendar is reached. `host` is the verified host that is its address now. Source: rule I1. */
export type CalendarAddress = {
  readonly slug: string
  readonly path: string | null
  readonly host: string | null
}

/**
 * Where customers book, in every link to a calendar. `origin` is the installation's own, without a trailing slash. It is never what
 * a request said of its host. Source: rules C6, I1 and J5.
 */
export function publicUrlOf(address: CalendarAddress, origin: string): string {
  return address.host === null ? toPathAddress(address, origin) : toHostAddress(address.host, origin)
}

/** Where the pages of a calendar's customers are: its own host, else the installation. Source: rule J5. */
export function siteOf({ host }: Pick<CalendarAddress, 'host'>, origin: string): string {
  return host === null ? origin : toHostAddress(host, origin)
}

/** Where the customer sees what was booked. A host of its own says already which calendar is meant. Source: rule J5. */
export function confirmationUrlOf(address: CalendarAddress, origin: string, appointmentId: string): string {
  const page = address.host === null ? `/book/${address.slug}/confirmation` : '/confirmation'
  return `${siteOf(address, origin)}${page}?appointment_id=${appointmentId}`
}

/** The customer's page of an appointment, on the site of another link of the same email. Source: rules J5 and R1. */
export function manageUrlOf(otherUrl: string, token: string): string {
  const [scheme, , host] = otherUrl.split('/')
  return `${scheme}//${host}/manage/${token}`
}
