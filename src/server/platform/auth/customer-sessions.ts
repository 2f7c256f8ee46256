import { RETENTION_MINUTES } from '#contract/shared/retention.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import { readCookie } from './read-cookie.ts'

/** A customer of one calendar, and the email address to which the code was sent. */
export type VerifiedCustomer = {
  readonly calendarId: string
  readonly customerId: string
  readonly email: string
}

/**
 * Remembers for a short time that this browser's user has access to a customer's email. This is no account: the session
 * is valid for one customer of one calendar, expires automatically, and ends when the email address changes. Source:
 * rule R8.
 */
export type CustomerSessions = {
  /** Returns the cookie of a new session. */
  readonly begin: (customer: VerifiedCustomer, nowMs: number) => string
  readonly isOpen: (cookie: string | undefined, customer: VerifiedCustomer, nowMs: number) => boolean
  /** Returns the cookie that ends the session. */
  readonly end: () => string
}

const PURPOSE = 'customer session'
/** Format of the cookie's value: the expiry in epoch milliseconds, and a signature. */
const FORMAT = /^(\d{13})\.([\w-]{43})$/

export function buildCustomerSessions({
  signer,
  baseUrl,
}: {
  signer: Signer
  baseUrl: string
}): CustomerSessions {
  const isSecure = baseUrl.startsWith('https:')
  const name = `${isSecure ? '__Secure-' : ''}meridian.customer`
  // Omit the Domain attribute, so that only the host that set the cookie receives it.
  const attributes = [
    'Path=/api/public/manage',
    'HttpOnly',
    ...(isSecure ? ['Secure'] : []),
    'SameSite=Strict',
  ].join('; ')
  const textOf = ({ calendarId, customerId, email }: VerifiedCustomer, endsAtMs: string) =>
    `${endsAtMs} ${calendarId} ${customerId} ${email}`

  return {
    begin(customer, nowMs) {
      const endsAtMs = String(nowMs + RETENTION_MINUTES.customerSession * MINUTE_MS)
      const value = `${endsAtMs}.${signer.sign(textOf(customer, endsAtMs), PURPOSE)}`
      return `${name}=${value}; Max-Age=${RETENTION_MINUTES.customerSession * 60}; ${attributes}`
    },
    isOpen(cookie, customer, nowMs) {
      const value = readCookie(cookie, name)
      const [, endsAtMs = '', signature = ''] = FORMAT.exec(value) ?? []
      if (endsAtMs === '' || Number(endsAtMs) <= nowMs) return false
      return signer.isGenuine(textOf(customer, endsAtMs), signature, PURPOSE)
    },
    end: () => `${name}=; Max-Age=0; ${attributes}`,
  }
}
