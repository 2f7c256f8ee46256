import { listOpenSlots, type OpenSlotsQuery } from '#core/scheduling/open-slots.ts'
import type { Interval } from '#core/shared/interval.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'

/** Everything that takes time of the calendar around the day of a new hold. */
export type DayWithHolds = Omit<OpenSlotsQuery, 'firstDate' | 'dayCount' | 'busy'> & {
  readonly booked: readonly Interval[]
  /** What strangers hold and have not paid for, in any order. */
  readonly held: readonly HeldTime[]
}

/** `isOwn`: it is held from the network that asks for another hold. Source: rule H9. */
export type HeldTime = Interval & { readonly isOwn: boolean }

/** Two customers from different networks can always pay at the same time, however short the day is. Source: rule H8. */
const ALWAYS_POSSIBLE = 2

/**
 * Whether a day has room for one more hold that begins on it. Holds may take a share of the times that the day would
 * have if nothing was booked, and never the last free one. A network that already holds a time of the day may take only
 * half of that share, so that nobody uses it up alone. A hold can block more than one time, because of the buffer or a
 * fine grid. A share of 100 or more is no limit. Source: rules H8 and H9.
 */
export function hasRoomForHold(day: DayWithHolds, startsAtMs: number, sharePercent: number): boolean {
  if (sharePercent >= 100) return true
  const { booked, held, locationBusy, timeZone } = day
  const date = localDateOf(startsAtMs, timeZone)
  const heldThatDay = held.filter(({ startMs }) => localDateOf(startMs, timeZone) === date)
  const parts = heldThatDay.some(({ isOwn }) => isOwn) ? 2 : 1
  if (heldThatDay.length < ALWAYS_POSSIBLE / parts) return true

  const countTimes = (taken: Pick<OpenSlotsQuery, 'busy' | 'locationBusy'>) =>
    listOpenSlots({ ...day, ...taken, firstDate: date, dayCount: 1 }).flatMap(({ startsMs }) => startsMs)
      .length
  const hold = { startMs: startsAtMs, endMs: startsAtMs + day.durationMinutes * 60_000 }
  const all = countTimes({ busy: [], locationBusy: [] })
  const free = countTimes({ busy: booked, locationBusy })
  const left = countTimes({ busy: [...booked, ...held, hold], locationBusy })
  return left > 0 && (free - left) * 100 * parts <= all * sharePercent
}
