import type { z } from 'zod'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import { listSandboxObjects } from '#sandbox/kit/sandbox-objects.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { SandboxCalendar } from './calendar.ts'
import { epochMsOf, type SandboxEvent } from './event.ts'
import { type CalendarSandboxContext, eventsOf } from './world.ts'

/** Maximum number of events to list. More than any test or demo has. */
const MAX_EVENTS = 50_000

/** Lists all events of a calendar, including cancelled ones. */
export function listAllEvents(
  { provider }: Pick<CalendarSandboxContext, 'provider'>,
  db: Db,
  calendarId: string,
): Promise<SandboxEvent[]> {
  return listSandboxObjects(db, eventsOf(provider, calendarId), { limit: MAX_EVENTS })
}

/** True when an event is not cancelled and overlaps the window. */
export function isWithin(
  event: SandboxEvent,
  { timeZone }: Pick<SandboxCalendar, 'timeZone'>,
  window: Interval,
): boolean {
  if (event.isCancelled) return false
  const startMs = epochMsOf(event.start, timeZone)
  // An event without duration counts as one millisecond long.
  return overlaps({ startMs, endMs: Math.max(startMs + 1, epochMsOf(event.end, timeZone)) }, window)
}

/** Builds a page token or a sync token. */
export function encodeToken(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** @throws SandboxErrorResponse when the token is invalid */
export function decodeToken<Content>(
  { faults }: Pick<CalendarSandboxContext, 'faults'>,
  schema: z.ZodType<Content>,
  token: string,
): Content {
  try {
    return schema.parse(JSON.parse(Buffer.from(token, 'base64url').toString()))
  } catch {
    throw faults.invalid('Invalid token value.')
  }
}
