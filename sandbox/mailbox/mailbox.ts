import { idSchema } from '#contract/shared/primitives.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inlineImages } from '#server/platform/http/mail-page.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Mailer, OutgoingMail } from '#server/ports/mailer.ts'
import type { Mail, MailContent, MailsResponse } from './mail.ts'
import { findStoredMail, insertMail, listStoredMails, type StoredMail } from './mail-repository.ts'

export type MailboxDeps = { readonly db: Db }

/** A mailer that stores emails for `/sandbox/mail` instead of sending them. */
export function buildMailboxMailer(deps: MailboxDeps): Mailer {
  return { send: (mail) => insertMail(deps.db, mail), close: async () => {} }
}

export async function listMails(deps: MailboxDeps): Promise<MailsResponse> {
  const kept = await listStoredMails(deps.db)
  return { mails: kept.map((one) => ({ ...toKept(one), ...toEnvelope(one.mail) })) }
}

/** @throws ProblemError `request.not_found` */
export async function getMail(deps: MailboxDeps, id: string): Promise<Mail> {
  const kept = idSchema.safeParse(id).success ? await findStoredMail(deps.db, id) : null
  if (kept === null) throw new ProblemError('request.not_found')
  return { ...toKept(kept), ...toMailContent(kept.mail) }
}

/** The content of an email, with its addresses formatted. */
export function toMailContent(mail: OutgoingMail): MailContent {
  return {
    ...toEnvelope(mail),
    message_id: mail.messageId,
    headers: mail.headers,
    text: mail.text,
    html: inlineImages(mail),
    attachments: mail.attachments.map((attachment) => ({
      filename: attachment.filename,
      content_type: attachment.contentType,
      content: attachment.content,
    })),
  }
}

function toKept({ id, createdAt }: StoredMail): Pick<Mail, 'id' | 'created_at'> {
  return { id, created_at: createdAt.toISOString() }
}

function toEnvelope({ to, from, replyTo, subject }: OutgoingMail) {
  return {
    to: written(to),
    from: written(from),
    reply_to: replyTo === null ? null : written(replyTo),
    subject,
  }
}

function written({ name, address }: { name: string; address: string }): string {
  return name === '' ? address : `${name} <${address}>`
}
