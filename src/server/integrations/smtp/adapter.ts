import { createTransport, type SendMailOptions } from 'nodemailer'
import type { MailAddress, MailAttachment, Mailer, OutgoingMail } from '#server/ports/mailer.ts'
import { toRefusal } from './refusal.ts'
import { requiresTls } from './requires-tls.ts'

type SmtpMailerOptions = {
  /** `smtp://` or `smtps://`, with a user name and password where the server asks for them. */
  readonly url: string
  /** Where servers on the way report what they could not deliver (`Return-Path`); the From address without one. */
  readonly bounceAddress?: string | undefined
  /** The longest silence at each step: connecting, the greeting, an answer. */
  readonly timeoutMs: number
}

const MAX_CONNECTIONS = 5

/** A server that answers a little at a time is never silent, so a whole delivery is limited, too. */
const STEPS_PER_DELIVERY = 4

/**
 * Sends mail by SMTP over a few connections that stay open between messages. When the connection breaks after the text
 * was sent, nobody knows what happened to the message, and it counts as not delivered: a repeat carries the same
 * Message-ID. Source: rule M2.
 */
export function buildSmtpMailer({ url, bounceAddress, timeoutMs }: SmtpMailerOptions): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Of the library's own repeats one is kept, for an open connection that the server closed meanwhile; the job does
    // the others.
    maxRequeues: 1,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    requireTLS: requiresTls(url),
    // Messages are text; nothing in one may make the server read a file or an address.
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
        throw toRefusal(error) ?? error
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
    // The library sends it twice, as Google's and Microsoft's own invitations are built: as an alternative of the
    // text, which mail clients read, and as a file for everybody else.
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

/** A plain mailbox of one person, without anything that a header or the SMTP dialogue could read as a second one. */
const PLAIN_MAILBOX = /^[^\s"(),:;<>@[\\\]\p{Cc}]+@[^\s"(),:;<>@\\\p{Cc}]+$/u

function checked({ name, address }: MailAddress): MailAddress {
  if (!PLAIN_MAILBOX.test(address)) throw new Error('A mail has an address that is not a plain mailbox.')
  // A line break in a name is always an attempt to add a header.
  return { name: name.replace(/\p{Cc}+/gu, ' ').trim(), address }
}
