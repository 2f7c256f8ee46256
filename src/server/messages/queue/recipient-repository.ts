import type { Db } from '#server/platform/db/database.ts'
import type { RecipientStatus } from '#server/platform/db/schema.ts'

/**
 * Returns how the reader of an email address has responded to our emails. Null when there is no response, or it is too
 * old.
 */
export async function findRecipientStatus(db: Db, recipientKey: string): Promise<RecipientStatus | null> {
  const row = await db
    .selectFrom('email_recipients')
    .select('standing')
    .where('recipient_key', '=', recipientKey)
    .executeTakeFirst()
  return row?.standing ?? null
}

export async function storeRecipientStatus(
  db: Db,
  row: { recipient_key: string; standing: RecipientStatus; since: Date },
): Promise<void> {
  await db
    .insertInto('email_recipients')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('recipient_key').doUpdateSet({ standing: row.standing, since: row.since }),
    )
    .execute()
}

/**
 * Ends the wait of messages that wait for this recipient's response. The job `waiting-messages` queues them within a
 * minute.
 */
export async function endWaitForResponse(db: Db, recipientKey: string, now: Date): Promise<void> {
  await db
    .updateTable('appointment_messages')
    .set({ waits_until: now })
    .where('state', '=', 'waiting')
    .where('recipient_key', '=', recipientKey)
    .where('waits_for', 'in', ['email_unanswered', 'email_stopped'])
    .execute()
}
