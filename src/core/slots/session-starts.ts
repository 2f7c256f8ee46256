import { localDateOf } from '#core/shared/zoned-time.ts'
import type { DayRange } from './displayed-days.ts'
import { isOpenSlot, type StartQuery } from './explain-start.ts'
import { listOpenSlots, type OpenDay } from './open-slots.ts'

/**
 * Lists the bookable starts like `listOpenSlots`, and those of the sessions with a free seat, which take no further time. Source:
 * rule B52.
 */
export function listOpenStarts(query: StartQuery & DayRange): OpenDay[] {
  const { sessions = [], timeZone } = query
  const days = listOpenSlots(query)
  const joinable = sessions.map(({ startMs }) => startMs).filter((startMs) => isOpenSlot(query, startMs))
  if (joinable.length === 0) return days
  const ofDate = Map.groupBy(joinable, (startMs) => localDateOf(startMs, timeZone))
  return days.map(({ date, startsMs }) => ({
    date,
    startsMs: [...new Set([...startsMs, ...(ofDate.get(date) ?? [])])].sort((a, b) => a - b),
  }))
}

/**
 * Returns the query as if no appointment counted towards a limit and each session had a free seat; null when that changes nothing.
 * A limit too small for a single appointment stays. Source: rule T80.
 */
export function withoutFullness<Query extends StartQuery>(query: Query): Query | null {
  const { counted, sessions = [] } = query
  if (counted.length === 0 && sessions.every(({ seatsLeft }) => seatsLeft > 0)) return null
  return { ...query, counted: [], sessions: sessions.map((session) => ({ ...session, seatsLeft: 1 })) }
}
