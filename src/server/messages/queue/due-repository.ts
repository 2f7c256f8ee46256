import { sql } from 'kysely'
import { DEFAULT_REMINDER_HOURS, LIMITS } from '#contract/shared/limits.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { LedgerMessageJob } from './message-job.ts'

/**
 * SQL that is true when a calendar sends reminders. Missing or malformed settings count as not set, as in
 * `toReminderSettings`.
 */
const ENABLED = sql<boolean>`reminder_settings -> 'enabled' is distinct from 'false'::jsonb`
const HOURS = sql<number>`case
  when jsonb_typeof(reminder_settings -> 'hours') = 'number'
    and (reminder_settings ->> 'hours')::numeric between ${sql.lit(LIMITS.reminderHoursMin)} and ${sql.lit(LIMITS.reminderHoursMax)}
    and (reminder_settings ->> 'hours')::numeric % 1 = 0
  then (reminder_settings ->> 'hours')::numeric::integer
  else ${sql.lit(DEFAULT_REMINDER_HOURS)} end`

/** SQL for the time when a reminder is due. An interval of hours is elapsed time, regardless of clock changes. */
const DUE_AT = sql<Date>`starts_at - make_interval(hours => ${HOURS})`

/** SQL for the start as the occasion of a reminder, in JavaScript's ISO format with milliseconds. */
const STARTS_AT = sql<string>`to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * SQL for the appointments whose reminder is due according to `decideReminder` and not yet in the ledger for this
 * start. A dropped reminder (the appointment was cancelled for a while) does not count as being in the ledger.
 */
function due(now: Date, limit: number) {
  return sql`
    select appointments.calendar_id, appointments.id as appointment_id, appointments.sequence, appointments.booked_by,
      ${STARTS_AT} as occasion
    from appointments
    join calendars on calendars.id = appointments.calendar_id
    join customers on customers.calendar_id = appointments.calendar_id and customers.id = appointments.customer_id
    where appointments.released_at is null
      and appointments.status in ('confirmed', 'pending_cancellation')
      and customers.email is not null
      and starts_at > ${now}
      and starts_at <= ${now}::timestamptz + make_interval(hours => ${sql.lit(LIMITS.reminderHoursMax)})
      and ${ENABLED}
      and ${DUE_AT} <= ${now}
      and coalesce(appointments.moved_at, appointments.created_at) < ${DUE_AT}
      and not exists (
        select from appointment_messages as message
        where message.calendar_id = appointments.calendar_id and message.appointment_id = appointments.id
          and message.kind = 'reminder' and message.recipient = 'customer'
          and message.occasion = ${STARTS_AT} and message.state <> 'dropped'
      )
    order by starts_at, appointments.id
    limit ${sql.lit(limit)}`
}

/** Lists the ids of the appointments whose reminder is due. */
export async function listDueReminders(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ appointment_id: string }>`${due(now, limit)}`.execute(db)
  return rows.map((row) => row.appointment_id)
}

/**
 * Inserts due reminders into the ledger. Appointments locked by another transaction are left to the next run. A
 * reminder that another worker inserts at the same time is inserted only once.
 */
export async function insertDueReminders(trx: Trx, now: Date, limit: number): Promise<LedgerMessageJob[]> {
  const { rows } = await sql<QueuedRow>`
    with due as (${due(now, limit)} for key share of appointments skip locked)
    insert into appointment_messages as message
      (calendar_id, appointment_id, kind, recipient, caused_by, occasion, sequence, changed_at, created_at, updated_at)
    select calendar_id, appointment_id, 'reminder', 'customer', booked_by, occasion, sequence, ${now}::timestamptz, ${now}, ${now}
      from due
    on conflict (calendar_id, appointment_id, kind, recipient, occasion) do update
      set state = 'queued', drop_reason = null, sequence = excluded.sequence, updated_at = excluded.updated_at
      where message.state = 'dropped'
    returning calendar_id, id, repeat`.execute(trx)
  return rows.map(toJob)
}

/** Queues messages whose wait is over. Rows locked by another worker are skipped. */
export async function queueMessagesAfterWait(
  trx: Trx,
  now: Date,
  limit: number,
): Promise<LedgerMessageJob[]> {
  const { rows } = await sql<QueuedRow>`
    update appointment_messages as message set state = 'queued', updated_at = ${now}
    from (
      select calendar_id, id from appointment_messages
      where state = 'waiting' and waits_until <= ${now}
      order by waits_until, created_at
      limit ${sql.lit(limit)} for update skip locked
    ) as due
    where message.calendar_id = due.calendar_id and message.id = due.id
    returning message.calendar_id, message.id, message.repeat`.execute(trx)
  return rows.map(toJob)
}

type QueuedRow = { readonly calendar_id: string; readonly id: string; readonly repeat: number }

function toJob({ calendar_id: calendarId, id: messageId, repeat }: QueuedRow): LedgerMessageJob {
  return { calendarId, messageId, repeat }
}
