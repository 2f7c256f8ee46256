import { KEPT_MINUTES } from '#contract/retention.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'

/** A customer of one calendar, with the address that a code was sent to. */
export type KnownCustomer = {
  readonly calendarId: string
  readonly customerId: string
  readonly email: string
}

/**
 * Remembers for a short while that whoever uses this browser reads a customer's email address. It is no account: it is valid for
 * one customer of one calendar, ends by itself, and ends when the address changes. Source: rule R8.
 */
export type CustomerSessions = {
  /** The cookie of a session that begins now. */
  readonly begin: (customer: KnownCustomer, nowMs: number) => string
  readonly isOpen: (cookie: string | undefined, customer: KnownCustomer, nowMs: number) => boolean
  /** The cookie that ends it. */
  readonly end: () => string
}

const PURPOSE = 'customer session'
/** When it ends, in milliseconds, and a signature. */
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
  // Without a domain, so that only the host that set it gets it back.
  const attributes = [
    'Path=/api/public/manage',
    'HttpOnly',
    ...(isSecure ? ['Secure'] : []),
    'SameSite=Strict',
  ].join('; ')
  const textOf = ({ calendarId, customerId, email }: KnownCustomer, endsAtMs: string) =>
    `${endsAtMs} ${calendarId} ${customerId} ${email}`

  return {
    begin(customer, nowMs) {
      const endsAtMs = String(nowMs + KEPT_MINUTES.customerSession * MINUTE_MS)
      const value = `${endsAtMs}.${signer.sign(textOf(customer, endsAtMs), PURPOSE)}`
      return `${name}=${value}; Max-Age=${KEPT_MINUTES.customerSession * 60}; ${attributes}`
    },
    isOpen(cookie, customer, nowMs) {
      const pairs = cookie?.split(/; */).map((pair) => pair.split('=', 2)) ?? []
      const value = pairs.find(([key]) => key === name)?.[1] ?? ''
      const [, endsAtMs = '', signature = ''] = FORMAT.exec(value) ?? []
      if (endsAtMs === '' || Number(endsAtMs) <= nowMs) return false
      return signer.isGenuine(textOf(customer, endsAtMs), signature, PURPOSE)
    },
    end: () => `${name}=; Max-Age=0; ${attributes}`,
  }
}
