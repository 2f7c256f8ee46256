import { addSandboxObject, findSandboxObject, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { SandboxCalendar } from './calendar.ts'
import type { SandboxEvent } from './event.ts'
import {
  type CalendarSandboxContext,
  calendarKey,
  calendarsOf,
  eventKey,
  eventsOf,
  findCalendar,
} from './world.ts'

/** A changed event before it gets the number of its change. */
export type EventChange = Omit<SandboxEvent, 'change' | 'createdMs' | 'updatedMs'> & {
  readonly createdMs?: number
}

/** Identifies an event, and the version of it that a request expects. */
export type EventReference = {
  readonly calendarId: string
  readonly eventId: string
  /** The If-Match header; undefined without one. */
  readonly etag: string | undefined
}

/**
 * Locks a calendar, saves the events that `decide` returns, and notifies the calendar's watchers after the commit. Returns the
 * saved events.
 * @throws SandboxErrorResponse
 */
export async function changeEvents(
  world: CalendarSandboxContext,
  calendarId: string,
  decide: (calendar: SandboxCalendar, trx: Trx) => Promise<readonly EventChange[]>,
): Promise<SandboxEvent[]> {
  const kept = await inTransaction(world.db, async (trx) => {
    const calendar = await findCalendar(world, trx, calendarId, { lock: true })
    if (calendar === null) throw world.faults.notFound()
    const becoming = await decide(calendar, trx)
    const nowMs = world.now()
    const events = becoming.map((event, index) => ({
      ...event,
      change: calendar.changes + 1 + index,
      createdMs: event.createdMs ?? nowMs,
      updatedMs: nowMs,
    }))
    for (const event of events)
      await keep(trx, eventsOf(world.provider, calendarId), { key: eventKey(calendarId, event.id), event })
    const changed = { ...calendar, changes: calendar.changes + events.length }
    await saveSandboxObject(trx, calendarsOf(world.provider), calendarKey(calendarId), changed)
    return events
  })
  if (kept.length > 0) await world.notify(calendarId, 'exists')
  return kept
}

/**
 * Changes one event of a calendar that the account owns.
 * @throws SandboxErrorResponse when somebody else owns the calendar
 */
export async function changeEventOfOwnCalendar(
  world: CalendarSandboxContext,
  calendarId: string,
  decide: (calendar: SandboxCalendar, trx: Trx) => Promise<EventChange>,
): Promise<SandboxEvent> {
  const [changed] = await changeEvents(world, calendarId, async (calendar, trx) => {
    if (calendar.accessRole !== 'owner') throw world.faults.readOnly()
    return [await decide(calendar, trx)]
  })
  if (changed === undefined) throw new Error('one event became none')
  return changed
}

/** Returns an event, which may be cancelled; null when there is none. */
export function findEvent(
  { provider }: Pick<CalendarSandboxContext, 'provider'>,
  db: Db,
  calendarId: string,
  eventId: string,
): Promise<SandboxEvent | null> {
  return findSandboxObject(db, eventsOf(provider, calendarId), eventKey(calendarId, eventId))
}

async function keep(
  trx: Trx,
  collection: ReturnType<typeof eventsOf>,
  { key, event }: { readonly key: string; readonly event: SandboxEvent },
): Promise<void> {
  if (!(await addSandboxObject(trx, collection, key, event)))
    await saveSandboxObject(trx, collection, key, event)
}
