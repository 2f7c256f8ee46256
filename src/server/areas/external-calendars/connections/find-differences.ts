import { randomUUID } from 'node:crypto'
import { type Interval, overlaps, subtract } from '#core/shared/interval.ts'
import type { StoredTime } from './check-repository.ts'

/** A time that is taken, and the calendar of ours whose appointment it is. */
export type TakenTime = Interval & Pick<StoredTime, 'appointmentCalendarId'>

/** A time as the provider names it. `ownKey`: of the event of an appointment, its name in our copy, by which it is held later. */
type NamedTime = TakenTime & { readonly ownKey: string | null }

/**
 * What the copy has to lose and to gain within `during`. A stored time that the provider does not name any more loses this
 * stretch and keeps the rest; what the provider names besides is added. The event of an appointment is busy for other calendars
 * than those that anybody else's event is busy for, so times are compared with those of the same holder. Source: rule G5.
 */
export function findDifferences({
  busy,
  stored,
  generation,
  during,
  askedAt,
}: {
  readonly busy: readonly NamedTime[]
  readonly stored: readonly StoredTime[]
  readonly generation: number
  readonly during: Interval
  readonly askedAt: Date
}): {
  removed: StoredTime[]
  /** What is left of the removed ones, outside of the stretch. */
  kept: StoredTime[]
  added: StoredTime[]
} {
  const within = (time: Interval): Interval => ({
    startMs: Math.max(time.startMs, during.startMs),
    endMs: Math.min(time.endMs, during.endMs),
  })
  const named = groupByHolder(busy)
  const removed = stored.filter((time) => subtract(within(time), ofHolder(named, time)).length > 0)
  const kept = removed.flatMap((time) =>
    subtract(time, [during]).map((rest, i) => ({
      ...time,
      ...rest,
      occurrence: i === 0 ? time.occurrence : `${time.occurrence} and on`,
    })),
  )
  const known = groupByHolder(stored.filter((time) => !removed.includes(time)))
  const added = busy
    .filter((time) => overlaps(time, during))
    .flatMap((time) =>
      subtract(within(time), ofHolder(known, time)).map((part) => ({
        ...part,
        appointmentCalendarId: time.appointmentCalendarId,
        eventId: time.ownKey ?? `asked ${randomUUID()}`,
        occurrence: time.ownKey === null ? '' : `asked ${randomUUID()}`,
        title: null,
        isAllDay: false,
        generation,
        askedAt,
      })),
    )
  return { removed, kept, added }
}

type ByHolder<Time> = ReadonlyMap<string | null, readonly Time[]>

function groupByHolder<Time extends TakenTime>(times: readonly Time[]): ByHolder<Time> {
  return Map.groupBy(times, ({ appointmentCalendarId }) => appointmentCalendarId)
}

function ofHolder(times: ByHolder<TakenTime>, { appointmentCalendarId }: TakenTime): readonly TakenTime[] {
  return times.get(appointmentCalendarId) ?? []
}
