import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/platform/db/database.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'

const address = z.object({ name: z.string(), address: z.string() })

/** The schema of a stored email. */
const storedMail = z.object({
  messageId: z.string(),
  from: address,
  replyTo: address.nullable(),
  to: address,
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  attachments: z.array(z.object({ filename: z.string(), contentType: z.string(), content: z.string() })),
  images: z
    .array(
      z.object({ contentId: z.string(), filename: z.string(), contentType: z.string(), content: z.string() }),
    )
    .optional(),
  headers: z.record(z.string(), z.string()),
})

export type StoredMail = {
  readonly id: string
  readonly createdAt: Date
  readonly mail: z.infer<typeof storedMail>
}

/** Maximum number of emails in the mailbox. Older ones are deleted as new ones arrive. */
const KEPT_MAILS = 500

/** Stores an email. Storing the same message id again changes nothing. */
export async function insertMail(db: Db, mail: OutgoingMail): Promise<void> {
  await db
    .insertInto('sandbox_mails')
    .values({ message_id: mail.messageId, mail: JSON.stringify(mail) })
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .execute()
  await db
    .deleteFrom('sandbox_mails')
    .where('id', 'in', (eb) =>
      eb.selectFrom('sandbox_mails').select('id').orderBy('created_at', 'desc').offset(KEPT_MAILS),
    )
    .execute()
}

/** Lists the stored emails, newest first. */
export async function listStoredMails(db: Db): Promise<StoredMail[]> {
  const rows = await db
    .selectFrom('sandbox_mails')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy(sql`mail ->> 'subject'`)
    .limit(KEPT_MAILS)
    .execute()
  return rows.map(toKeptMail)
}

export async function findStoredMail(db: Db, id: string): Promise<StoredMail | null> {
  const row = await db.selectFrom('sandbox_mails').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toKeptMail(row)
}

function toKeptMail(row: { id: string; created_at: Date; mail: unknown }): StoredMail {
  return { id: row.id, createdAt: row.created_at, mail: storedMail.parse(row.mail) }
}
