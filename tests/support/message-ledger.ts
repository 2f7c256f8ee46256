import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS } from '#core/shared/duration.ts'
import { queueDeliveryMails } from '#server/messages/queue/delivery-jobs.ts'
import { queueWaitingMessages } from '#server/messages/queue/due-jobs.ts'
import type { TestMeridian, TestOwner } from './meridian.ts'
import { queryNumber, queryRows } from './race-track.ts'

/** Moves the owner's registration back by this many days. */
export async function backdateRegistration(
  { database, clock }: TestMeridian,
  { id }: TestOwner,
  days: number,
): Promise<void> {
  const created_at = new Date(clock.ms - days * DAY_MS)
  await database.db.updateTable('profiles').set({ created_at }).where('id', '=', id).execute()
}

/** Waits until no message is queued, for as long as the test may take. */
export async function waitUntilMessagesSent({ database }: TestMeridian): Promise<void> {
  while ((await countMessages(database, 'queued')) > 0) await pause(50)
}

/** Runs the job that queues waiting messages every minute, and waits until its messages are sent. */
export async function retryWaitingMessages(meridian: TestMeridian): Promise<void> {
  const { database, clock, jobs } = meridian
  await queueWaitingMessages({ db: database.db, now: () => clock.ms, jobs })
  await waitUntilMessagesSent(meridian)
}

/** Runs the hourly job that notifies owners of failed emails. Does not wait for those emails. */
export async function notifyOwnersOfFailedEmails({ database, clock, jobs }: TestMeridian): Promise<void> {
  await queueDeliveryMails({ db: database.db, now: () => clock.ms, jobs })
}

/** Lists the states of one kind of customer message, oldest first. */
export async function listMessageStates(
  { database }: TestMeridian,
  calendarId: string,
  kind = 'booking_confirmation',
): Promise<string[]> {
  const rows = await queryRows(
    database,
    `select concat_ws(' ', message.state, case when message.state = 'waiting' then waits_for end) as state
     from appointment_messages as message join appointments on appointments.id = message.appointment_id
     where message.calendar_id = $1 and kind = $2 order by appointments.starts_at`,
    [calendarId, kind],
  )
  return rows.map(({ state }) => String(state))
}

export function countMessages(database: TestMeridian['database'], state: string): Promise<number> {
  return queryNumber(database, 'select count(*) from appointment_messages where state = $1', [state])
}
