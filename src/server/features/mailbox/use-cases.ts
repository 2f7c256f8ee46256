import type { Mail, MailsResponse } from '#contract/mailbox.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Mailer } from '#server/ports/mailer.ts'
import { findKeptMail, type KeptMail, keepMail, listKeptMails } from './repository.ts'

export type MailboxDeps = { readonly db: Db }

/** A mailer that keeps every message where `/sandbox/mail` shows it, instead of sending it. */
export function buildMailboxMailer(deps: MailboxDeps): Mailer {
  return { send: (mail) => keepMail(deps.db, mail), close: async () => {} }
}

export async function listMails(deps: MailboxDeps): Promise<MailsResponse> {
  return { mails: (await listKeptMails(deps.db)).map(toSummary) }
}

/** @throws ProblemError `request.not_found` */
export async function getMail(deps: MailboxDeps, id: string): Promise<Mail> {
  const kept = await findKeptMail(deps.db, id)
  if (kept === null) throw new ProblemError('request.not_found')
  return {
    ...toSummary(kept),
    message_id: kept.mail.messageId,
    text: kept.mail.text,
    html: kept.mail.html,
    attachments: kept.mail.attachments.map((attachment) => ({
      filename: attachment.filename,
      content_type: attachment.contentType,
      content: attachment.content,
    })),
  }
}

/**
 * The HTML body as a page: its links open in a tab of their own.
 * @throws ProblemError `request.not_found`
 */
export async function getMailPage(deps: MailboxDeps, id: string): Promise<string> {
  const { html } = await getMail(deps, id)
  return html.replace(/<head(\s[^>]*)?>/i, (head) => `${head}<base target="_blank">`)
}

function toSummary({ id, createdAt, mail }: KeptMail): MailsResponse['mails'][number] {
  return {
    id,
    to: written(mail.to),
    from: written(mail.from),
    reply_to: mail.replyTo === null ? null : written(mail.replyTo),
    subject: mail.subject,
    created_at: createdAt.toISOString(),
  }
}

function written({ name, address }: { name: string; address: string }): string {
  return name === '' ? address : `${name} <${address}>`
}
