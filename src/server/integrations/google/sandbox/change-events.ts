import type { Trx } from '#server/platform/db/transaction.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import {
  addSandboxObject,
  findSandboxObject,
  saveSandboxObject,
} from '#server/platform/sandbox/sandbox-objects.ts'
import type { SandboxCalendar } from './calendar.ts'
import { tellChannels } from './channels.ts'
import type { SandboxEvent } from './event.ts'
import { notFound } from './google-fault.ts'
import { CALENDARS, calendarKey, eventKey, eventsOf, findCalendar, type SandboxWorld } from './world.ts'

/** An event as it becomes, before the change has its number. */
export type EventChange = Omit<SandboxEvent, 'change' | 'createdMs' | 'updatedMs'> & {
  readonly createdMs?: number
}

/**
 * Changes events of a calendar in one transaction that nobody else is in, and notifies whoever watches after the commit.
 * `decide` gives the events as they become. Returns them as they were kept.
 * @throws GoogleFault
 */
export async function changeEvents(
  world: SandboxWorld,
  calendarId: string,
  decide: (calendar: SandboxCalendar, trx: Trx) => Promise<readonly EventChange[]>,
): Promise<SandboxEvent[]> {
  const kept = await inTransaction(world.db, async (trx) => {
    const calendar = await findCalendar(trx, calendarId, { lock: true })
    if (calendar === null) throw notFound()
    const becoming = await decide(calendar, trx)
    const nowMs = world.now()
    const events = becoming.map((event, index) => ({
      ...event,
      change: calendar.changes + 1 + index,
      createdMs: event.createdMs ?? nowMs,
      updatedMs: nowMs,
    }))
    for (const event of events) await keep(trx, calendarId, event)
    const changed = { ...calendar, changes: calendar.changes + events.length }
    await saveSandboxObject(trx, CALENDARS, calendarKey(calendarId), changed)
    return events
  })
  if (kept.length > 0) await tellChannels(world, calendarId, 'exists')
  return kept
}

/** As it stands in the transaction; also a cancelled one. */
export function findEvent(db: Trx, calendarId: string, eventId: string): Promise<SandboxEvent | null> {
  return findSandboxObject(db, eventsOf(calendarId), eventKey(calendarId, eventId))
}

async function keep(trx: Trx, calendarId: string, event: SandboxEvent): Promise<void> {
  const shelf = eventsOf(calendarId)
  const key = eventKey(calendarId, event.id)
  if (!(await addSandboxObject(trx, shelf, key, event))) await saveSandboxObject(trx, shelf, key, event)
}
