import { MailRefusedError } from '#server/ports/mailer.ts'

/** Response codes of RFC 4954 for a missing, wrong or weak password. They always concern the operator. */
const AUTHENTICATION = new Set([530, 534, 535, 538])
/** A server that does not accept the operator rejects every recipient: `554 5.7.1 Relay access denied`. */
const RELAYING = /\brelay/i
/** Commands that concern one recipient and message; all others concern the operator and the connection. */
const ABOUT_THE_MESSAGE = new Set(['RCPT', 'DATA'])

/** Interprets a mail server's error response; null when there was none (no connection, a time-out). */
export function toRefusal(error: unknown): MailRefusedError | null {
  if (!(error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'))
    return null
  const code = error.responseCode
  const [command = ''] = 'command' in error ? String(error.command).split(' ') : []
  const words = 'response' in error ? String(error.response).replace(/^\d{3}[ -]?/, '') : ''
  const isFinal =
    code >= 500 && ABOUT_THE_MESSAGE.has(command) && !AUTHENTICATION.has(code) && !RELAYING.test(words)
  return new MailRefusedError({ code, command, words, isFinal })
}
