import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS } from '#core/shared/duration.ts'
import { queueDeliveryMails } from '#server/messages/queue/delivery-jobs.ts'
import { queueWaitingMessages } from '#server/messages/queue/due-jobs.ts'
import type { TestMeridian, TestOwner } from './meridian.ts'
import { readNumber, readRows } from './race-track.ts'

/** The owner's account is this old, in days. */
export async function registerBefore(
  { database, clock }: TestMeridian,
  { id }: TestOwner,
  days: number,
): Promise<void> {
  const created_at = new Date(clock.ms - days * DAY_MS)
  await database.db.updateTable('profiles').set({ created_at }).where('id', '=', id).execute()
}

/** Waits until no message is on its way; as long as the test may take. */
export async function finishMessages({ database }: TestMeridian): Promise<void> {
  while ((await countMessages(database, 'queued')) > 0) await pause(50)
}

/** One of the rounds that a worker makes every minute, and what it sends. */
export async function retryWaiting(meridian: TestMeridian): Promise<void> {
  const { database, clock, jobs } = meridian
  await queueWaitingMessages({ db: database.db, now: () => clock.ms, jobs })
  await finishMessages(meridian)
}

/** One of the hourly rounds that tell owners; their emails are not waited for. */
export async function tellOwners({ database, clock, jobs }: TestMeridian): Promise<void> {
  await queueDeliveryMails({ db: database.db, now: () => clock.ms, jobs })
}

/** The messages to customers of one kind by their state, in the order in which they were written. */
export async function listStates(
  { database }: TestMeridian,
  calendarId: string,
  kind = 'booking_confirmation',
): Promise<string[]> {
  const rows = await readRows(
    database,
    `select concat_ws(' ', message.state, case when message.state = 'waiting' then waits_for end) as state
     from appointment_messages as message join appointments on appointments.id = message.appointment_id
     where message.calendar_id = $1 and kind = $2 order by appointments.starts_at`,
    [calendarId, kind],
  )
  return rows.map(({ state }) => String(state))
}

export function countMessages(database: TestMeridian['database'], state: string): Promise<number> {
  return readNumber(database, 'select count(*) from appointment_messages where state = $1', [state])
}
