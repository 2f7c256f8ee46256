import { sql } from 'kysely'
import type { MessageKind } from '#contract/messages/messages.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/**
 * Finds unreported messages that failed for good or are waiting, on calendars whose owner was not notified within the
 * last day. Marks them as reported and returns those calendars. A message that waited and then fails is reported twice.
 * Source: rule M8.
 */
export async function markProblemsReported(trx: Trx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ calendar_id: string }>`
    update appointment_messages as message set owner_told_at = ${now}
    where (state = 'waiting' and owner_told_at is null
        or state = 'given_up' and (owner_told_at is null or owner_told_at < updated_at))
      and not exists (
        select from appointment_messages as told
        where told.calendar_id = message.calendar_id
          and told.owner_told_at > ${now}::timestamptz - interval '24 hours'
      )
    returning calendar_id`.execute(trx)
  return [...new Set(rows.map((row) => row.calendar_id))]
}

/** Lists the messages for the report at `toldAt`: those that were marked then, and still have failed or are waiting. */
export async function listReportedProblems(db: Db, calendarId: string, toldAt: Date) {
  const rows = await db
    .selectFrom('appointment_messages as message')
    .innerJoin('appointments', (join) =>
      join
        .onRef('appointments.calendar_id', '=', 'message.calendar_id')
        .onRef('appointments.id', '=', 'message.appointment_id'),
    )
    .innerJoin('calendars', 'calendars.id', 'message.calendar_id')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .where('message.calendar_id', '=', calendarId)
    .where('message.owner_told_at', '=', toldAt)
    .where('message.state', 'in', ['given_up', 'waiting'])
    .orderBy('appointments.starts_at')
    .select([
      'message.kind',
      'message.state',
      'message.last_error',
      'message.waits_for',
      'appointments.booking_reference',
      'appointments.customer_name',
      'appointments.starts_at',
      'appointments.ends_at',
      'calendars.name',
      'calendars.color',
      'calendars.timezone',
      'calendars.hour_cycle',
      'profiles.full_name',
      'profiles.email',
    ])
    .limit(1_000)
    .execute()
  return rows.map((row) => ({ ...row, kind: row.kind as MessageKind })) // Only these kinds are stored.
}

/** Lists the messages about an owner's appointments that failed for good since `since`, the oldest first. */
export function listFailedMessages(db: Db, ownerId: OwnerId, since: Date) {
  return db
    .selectFrom('appointment_messages as message')
    .innerJoin('calendars', 'calendars.id', 'message.calendar_id')
    .where('calendars.user_id', '=', ownerId)
    .where('message.state', '=', 'given_up')
    .where('message.updated_at', '>=', since)
    .orderBy('message.updated_at')
    .select([
      'message.calendar_id as calendarId',
      'message.appointment_id as appointmentId',
      'message.id as messageId',
      'message.repeat',
    ])
    .limit(5_000)
    .execute()
}
