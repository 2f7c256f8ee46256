import { createTransport, type SendMailOptions } from 'nodemailer'
import {
  type MailAddress,
  type MailAttachment,
  type Mailer,
  MailRefusedError,
  type OutgoingMail,
} from '#server/ports/mailer.ts'

type SmtpMailerOptions = {
  /** URL of the mail server, `smtp://` or `smtps://`, including user name and password if the server requires them. */
  readonly url: string
  /** Address for bounce messages (`Return-Path`); defaults to the From address. */
  readonly bounceAddress?: string | undefined
  /** How long the server may be silent at each step (connection, greeting, response), in milliseconds. */
  readonly timeoutMs: number
}

const MAX_CONNECTIONS = 5

/**
 * Limit on a whole delivery, as a multiple of the time-out of one step. A server that responds slowly is never silent,
 * so the time-out alone would not end the delivery.
 */
const STEPS_PER_DELIVERY = 4

/**
 * Sends emails by SMTP over a few pooled connections. If the connection breaks after the message was sent, nobody knows
 * whether it was delivered, so it counts as undelivered; the retry has the same Message-ID. Source: rule M2.
 */
export function buildSmtpMailer({ url, bounceAddress, timeoutMs }: SmtpMailerOptions): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Let nodemailer retry once, for a pooled connection that the server has closed. All other retries belong to the
    // job.
    maxRequeues: 1,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    requireTLS: requiresTls(url),
    // Messages are plain data; never let one make the server read a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const underWay = new Set<Promise<unknown>>()

  return {
    async send(mail) {
      const signal = AbortSignal.timeout(timeoutMs * STEPS_PER_DELIVERY)
      const envelope = { from: bounceAddress ?? mail.from.address, to: mail.to.address }
      const delivery = transport.sendMail({ ...toMessage(mail), envelope, signal })
      underWay.add(delivery)
      try {
        await delivery
      } catch (error) {
        throw toMailRefusedError(error) ?? error
      } finally {
        underWay.delete(delivery)
      }
    },
    async close() {
      transport.close()
      await Promise.allSettled(underWay)
    },
  }
}

function toMessage(mail: OutgoingMail): SendMailOptions {
  const invitation = mail.attachments.find(isCalendarFile)
  return {
    messageId: mail.messageId,
    from: checked(mail.from),
    to: checked(mail.to),
    ...(mail.replyTo !== null && { replyTo: checked(mail.replyTo) }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: { ...mail.headers },
    // The library sends the invitation twice, like those of Google and Microsoft: as an alternative part for mail
    // clients that support invitations, and as an attachment for all others.
    ...(invitation !== undefined && {
      icalEvent: {
        method: methodOf(invitation),
        filename: invitation.filename,
        content: invitation.content,
      },
    }),
    attachments: [
      ...mail.attachments
        .filter((attachment) => attachment !== invitation)
        .map(({ filename, contentType, content }) => ({ filename, contentType, content })),
      ...(mail.images ?? []).map(({ contentId, filename, contentType, content }) => ({
        cid: contentId,
        filename,
        contentType,
        content,
        encoding: 'base64',
        contentDisposition: 'inline' as const,
      })),
    ],
  }
}

function isCalendarFile(attachment: MailAttachment): boolean {
  return /^text\/calendar\b/i.test(attachment.contentType)
}

function methodOf(attachment: MailAttachment): string {
  return /;\s*method=([a-z]+)/i.exec(attachment.contentType)?.[1] ?? 'PUBLISH'
}

/**
 * Matches a plain email address, without characters that a header or the SMTP dialogue could interpret as another
 * address.
 */
const PLAIN_MAILBOX = /^[^\s"(),:;<>@[\\\]\p{Cc}]+@[^\s"(),:;<>@\\\p{Cc}]+$/u

function checked({ name, address }: MailAddress): MailAddress {
  if (!PLAIN_MAILBOX.test(address)) throw new Error('A mail has an address that is not a plain mailbox.')
  // Remove line breaks from the name, because they can only be header injection.
  return { name: name.replace(/\p{Cc}+/gu, ' ').trim(), address }
}

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * True when the connection must be encrypted before anything is sent. Otherwise an attacker who removes STARTTLS from
 * the greeting could read the password. An operator can opt out in the URL (`?requireTLS=false` or `?ignoreTLS=true`).
 */
export function requiresTls(smtpUrl: string): boolean {
  const url = new URL(smtpUrl)
  if (url.searchParams.has('requireTLS')) return url.searchParams.get('requireTLS') === 'true'
  if (url.searchParams.get('ignoreTLS') === 'true') return false
  return url.protocol === 'smtp:' && url.username !== '' && !LOOPBACK_HOSTS.has(url.hostname)
}

/** Response codes of RFC 4954 for a missing, wrong or weak password of our login. Only the operator can fix these. */
const AUTHENTICATION = new Set([530, 534, 535, 538])
/**
 * Matches the response of a server that does not let the operator send, and so rejects every recipient: `554 5.7.1
 * Relay access denied`.
 */
const RELAY_REFUSED = /\brelay/i
/**
 * SMTP commands whose errors concern one recipient or message. Errors of all other commands concern the operator or the
 * connection.
 */
const MESSAGE_COMMANDS = new Set(['RCPT', 'DATA'])

/** Interprets a mail server's error response; null when the server sent none (no connection, a time-out). */
export function toMailRefusedError(error: unknown): MailRefusedError | null {
  if (!(error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'))
    return null
  const code = error.responseCode
  const [command = ''] = 'command' in error ? String(error.command).split(' ') : []
  const words = 'response' in error ? String(error.response).replace(/^\d{3}[ -]?/, '') : ''
  const isFinal =
    code >= 500 && MESSAGE_COMMANDS.has(command) && !AUTHENTICATION.has(code) && !RELAY_REFUSED.test(words)
  return new MailRefusedError({ code, command, words, isFinal })
}

/** Connects to a mail server and logs in without sending a message. @throws Error with the server's reason */
export async function logInToMailServer(url: string, timeoutMs: number): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    requireTLS: requiresTls(url),
  })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}
