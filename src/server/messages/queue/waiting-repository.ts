import { sql } from 'kysely'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { LedgerMessageJob } from './message-job.ts'

/** Queues messages whose wait is over. Rows locked by another worker are skipped. */
export async function claimWaitedMessages(trx: Trx, now: Date, limit: number): Promise<LedgerMessageJob[]> {
  const { rows } = await sql<{ calendar_id: string; id: string; repeat: number }>`
    update appointment_messages as message set state = 'queued', updated_at = ${now}
    from (
      select calendar_id, id from appointment_messages
      where state = 'waiting' and waits_until <= ${now}
      order by waits_until, created_at
      limit ${sql.lit(limit)} for update skip locked
    ) as due
    where message.calendar_id = due.calendar_id and message.id = due.id
    returning message.calendar_id, message.id, message.repeat`.execute(trx)
  return rows.map((row) => ({ calendarId: row.calendar_id, messageId: row.id, repeat: row.repeat }))
}
