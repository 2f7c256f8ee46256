import { MailRefusedError } from '#server/ports/mailer.ts'

/** What RFC 4954 answers when a password is missing, wrong or not safe enough: the operator's matter at any command. */
const AUTHENTICATION = new Set([530, 534, 535, 538])
/** A server that does not know the operator says so of each recipient: `554 5.7.1 Relay access denied`. */
const RELAYING = /\brelay/i
/** The commands that are about one recipient and one text; the others are about the operator and the connection. */
const ABOUT_THE_MESSAGE = new Set(['RCPT', 'DATA'])

/** What a mail server's answer means; null when the library failed without one (no connection, a time-out). */
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
