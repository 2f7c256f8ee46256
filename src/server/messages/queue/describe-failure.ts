import { truncateText } from '#core/shared/text.ts'
import { MailRefusedError } from '#server/ports/mailer.ts'

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EPIPE',
  'EDNS',
  'ESOCKET',
  'ECONNECTION',
])
const TIMED_OUT = new Set(['ETIMEDOUT', 'ETIMEOUT', 'ABORT_ERR'])

/** Maximum length of a text that the ledger stores, in characters. */
const MAX_LENGTH = 200

/**
 * Describes for the owner why a message was not sent. Returns the text of the server that refused it, without addresses
 * or details of the operator's machines. The full error is logged with the job.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof MailRefusedError) return describeRefusal(error)
  const name = error instanceof Error ? error.name : ''
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Look at the error's message, because the library replaces the code of certificate errors.
  if (error instanceof Error && /\bcertificate\b/i.test(error.message)) {
    return 'The mail server’s certificate isn’t trusted'
  }
  if (name === 'TimeoutError' || name === 'AbortError' || TIMED_OUT.has(code)) {
    return 'The mail server didn’t respond in time'
  }
  return UNREACHABLE.has(code)
    ? 'We couldn’t reach the mail server'
    : 'The mail server didn’t accept the message'
}

/** Matches an email address, or an IP address (IPv4, or IPv6 with at least three groups). */
const ADDRESS = /\S+@\S+|\b(?:\d{1,3}\.){3}\d{1,3}\b|(?:[\da-f]{0,4}:){3,}[\da-f]{0,4}/gi

function describeRefusal({ code, command, isFinal, words }: MailRefusedError): string {
  const said = words
    .slice(0, 1_000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(ADDRESS, '…')
    .trim()
  const whatHappened = `${isFinal ? toFinalRefusal(command) : 'The mail server hasn’t accepted the message yet'} (${code})`
  return truncateText(said === '' ? whatHappened : `${whatHappened}: ${said}`, MAX_LENGTH)
}

function toFinalRefusal(command: string): string {
  return command.startsWith('RCPT')
    ? 'The mail server rejected this address'
    : 'The mail server rejected the message'
}

/** How long to retry a message after temporary failures, in milliseconds. */
const MAX_RETRY_MS = 3 * 24 * 60 * 60 * 1000

/**
 * True when a failed message should be given up and its owner notified: it was permanently refused, or it has failed
 * for three days. Source: rule M7.
 */
export function shouldGiveUpMessage(error: unknown, failingForMs: number): boolean {
  return (error instanceof MailRefusedError && error.isFinal) || failingForMs >= MAX_RETRY_MS
}
