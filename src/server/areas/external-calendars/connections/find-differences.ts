import { randomUUID } from 'node:crypto'
import { type Interval, overlaps, subtractIntervals } from '#core/shared/interval.ts'
import type { StoredBusyTimeRow } from './check-repository.ts'

/** A busy interval. If it is the event of an appointment, it names the appointment's Meridian calendar. */
export type ReportedBusyTime = Interval & Pick<StoredBusyTimeRow, 'appointment_calendar_id'>

/** A busy time returned by the provider. `ownKey` is the key in our copy if it is the event of an appointment. */
type NamedTime = ReportedBusyTime & { readonly ownKey: string | null }

/**
 * Computes the corrections to our copy within `during`. A stored time that the provider no longer returns is cut to the
 * parts outside `during`; new times are added. The event of an appointment does not block the appointment's own
 * calendar, so times are compared only with times of the same `appointment_calendar_id`. Source: rule G5.
 */
export function findCopyCorrections({
  busy,
  stored,
  generation,
  during,
  askedAt,
}: {
  readonly busy: readonly NamedTime[]
  readonly stored: readonly StoredBusyTimeRow[]
  readonly generation: number
  readonly during: Interval
  readonly askedAt: Date
}): {
  removed: StoredBusyTimeRow[]
  /** The parts of the removed times that lie outside of `during` and remain. */
  kept: StoredBusyTimeRow[]
  added: StoredBusyTimeRow[]
} {
  const within = (time: Interval): Interval => ({
    startMs: Math.max(time.startMs, during.startMs),
    endMs: Math.min(time.endMs, during.endMs),
  })
  const named = groupByHolder(busy)
  const removed = stored.filter((time) => subtractIntervals(within(time), ofHolder(named, time)).length > 0)
  const kept = removed.flatMap((time) =>
    subtractIntervals(time, [during]).map((rest, i) => ({
      ...time,
      ...rest,
      occurrence: i === 0 ? time.occurrence : `${time.occurrence} and on`,
    })),
  )
  const known = groupByHolder(stored.filter((time) => !removed.includes(time)))
  const added = busy
    .filter((time) => overlaps(time, during))
    .flatMap((time) =>
      subtractIntervals(within(time), ofHolder(known, time)).map((part) => ({
        ...part,
        appointment_calendar_id: time.appointment_calendar_id,
        event_id: time.ownKey ?? `asked ${randomUUID()}`,
        occurrence: time.ownKey === null ? '' : `asked ${randomUUID()}`,
        title: null,
        is_all_day: false,
        generation,
        asked_at: askedAt,
      })),
    )
  return { removed, kept, added }
}

type ByHolder<Time> = ReadonlyMap<string | null, readonly Time[]>

function groupByHolder<Time extends ReportedBusyTime>(times: readonly Time[]): ByHolder<Time> {
  return Map.groupBy(times, ({ appointment_calendar_id }) => appointment_calendar_id)
}

function ofHolder(
  times: ByHolder<ReportedBusyTime>,
  { appointment_calendar_id }: ReportedBusyTime,
): readonly ReportedBusyTime[] {
  return times.get(appointment_calendar_id) ?? []
}
