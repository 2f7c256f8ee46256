import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { toOccupiedTime } from '#core/slots/occupied-time.ts'
import { listOpenSlots, type OpenSlotsQuery } from '#core/slots/open-slots.ts'

/** Everything that occupies the calendar around the day of a new hold. */
export type DayWithHolds = Omit<OpenSlotsQuery, 'firstDate' | 'dayCount' | 'busy'> & {
  readonly booked: readonly Interval[]
  /** Unpaid holds of anonymous customers, in any order. */
  readonly held: readonly HeldTime[]
}

/** `isOwn`: the hold was made from the same network as the new one. Source: rule H9. */
export type HeldTime = Interval & { readonly isOwn: boolean }

/** Two customers on different networks can always pay at the same time, however short the day is. Source: rule H8. */
const ALWAYS_POSSIBLE = 2

/**
 * True when the day has room for one more hold. Holds may take a share of the times that an empty day would offer, and
 * never the last free one. A network that already holds a time on this day may take only half of that share, so nobody
 * can block the day alone. A hold can block several times because of the buffer or a fine grid. A share of 100 or more
 * means no limit. Source: rules H8 and H9.
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
  const time = { startMs: startsAtMs, endMs: startsAtMs + day.durationMinutes * MINUTE_MS }
  const hold = toOccupiedTime(time, day)
  const all = countTimes({ busy: [], locationBusy: [] })
  const free = countTimes({ busy: booked, locationBusy })
  const left = countTimes({ busy: [...booked, ...held, hold], locationBusy })
  return left > 0 && (free - left) * 100 * parts <= all * sharePercent
}
