import type { MailAddress, OutgoingMail } from '#server/ports/mailer.ts'

/** The sender and its host. */
export type MailOrigin = {
  /** The operator's sender. Its name is the product's; messages about an appointment have the owner's name. */
  readonly from: MailAddress
  /** Host of BASE_URL, for Message-IDs and the UIDs of calendar files. */
  readonly host: string
}

/** The product as a sender, on the host of its public address. */
export function toMailOrigin({
  baseUrl,
  mailFrom,
}: {
  readonly baseUrl: string
  readonly mailFrom: string
}): MailOrigin {
  return { from: { name: 'Meridian', address: mailFrom }, host: new URL(baseUrl).hostname }
}

/** RFC 3834: no automatic reply answers these. Exchange needs a header of its own. */
export const AUTOMATIC_HEADERS: OutgoingMail['headers'] = {
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
}

/** The host as it may stand after the @ of an identifier (RFC 5322 `dot-atom`): without a port, in lower case. */
export function toIdHost(host: string): string {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  return name.replace(/[^a-z0-9.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'localhost'
}

/** `<parts.joined@host>`: the same parts give the same id, so that a repeat of a message can be recognised. */
export function toMessageId(origin: MailOrigin, parts: readonly (string | number)[]): string {
  return `<${parts.join('.')}@${toIdHost(origin.host)}>`
}
