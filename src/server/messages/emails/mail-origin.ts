import type { MailAddress, OutgoingMail } from '#server/ports/mailer.ts'

/** The sender of emails and its host. */
export type MailOrigin = {
  /** The operator's sender address, with the product's name. Emails about an appointment use the owner's name. */
  readonly from: MailAddress
  /** The host of BASE_URL, used in Message-IDs and in the UIDs of calendar files. */
  readonly host: string
}

/** Returns the product as a sender, on the host of its public URL. */
export function toMailOrigin({
  baseUrl,
  mailFrom,
}: {
  readonly baseUrl: string
  readonly mailFrom: string
}): MailOrigin {
  return { from: { name: 'Meridian', address: mailFrom }, host: new URL(baseUrl).hostname }
}

/** Headers that suppress automatic replies (RFC 3834). Exchange needs its own header. */
export const AUTOMATIC_MAIL_HEADERS: OutgoingMail['headers'] = {
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
}

/** Normalises a host for use after the @ of an identifier (RFC 5322 `dot-atom`): lower case, without a port. */
export function toMessageIdHost(host: string): string {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  return name.replace(/[^a-z0-9.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'localhost'
}

/** Returns an instant (RFC 3339) as a part of a Message-ID: its digits. */
export function toMessageIdPart(instant: string): string {
  return instant.replace(/\D/g, '')
}

/**
 * Returns the Message-ID `<parts.joined@host>`. The same parts give the same id, so that mail servers recognise a
 * retried message.
 */
export function toMessageId(origin: MailOrigin, parts: readonly (string | number)[]): string {
  return `<${parts.join('.')}@${toMessageIdHost(origin.host)}>`
}
