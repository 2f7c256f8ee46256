import { randomUUID } from 'node:crypto'
import { type Interval, overlaps, subtract } from '#core/shared/interval.ts'
import type { OwnTime, StoredTime } from './check-repository.ts'

/** A time that a provider says is taken. */
export type BusyTime = Interval & { readonly eventId: string | null; readonly externalId: string }

type Copies = {
  readonly busy: readonly BusyTime[]
  readonly stored: readonly StoredTime[]
  readonly own: readonly OwnTime[]
  readonly generation: number
  readonly during: Interval
  readonly askedAt: Date
}

/**
 * What the copy has to lose and to gain within `during`. A stored time that the provider does not name any more loses this
 * stretch and keeps the rest; what the provider names besides is added, our own events with the calendar that holds their
 * appointment. Source: rule G5.
 */
export function findDifferences({ busy, stored, own, generation, during, askedAt }: Copies): {
  removed: StoredTime[]
  /** What is left of the removed ones, outside of the stretch. */
  kept: StoredTime[]
  added: StoredTime[]
} {
  const within = (time: Interval): Interval => ({
    startMs: Math.max(time.startMs, during.startMs),
    endMs: Math.min(time.endMs, during.endMs),
  })
  const removed = stored.filter((time) => subtract(within(time), busy).length > 0)
  const kept = removed.flatMap((time) =>
    subtract(time, [during]).map((rest, i) => ({
      ...time,
      ...rest,
      occurrence: i === 0 ? time.occurrence : `${time.occurrence} and on`,
    })),
  )
  const known = stored.filter((time) => !removed.includes(time))
  const added = busy
    .filter((time) => overlaps(time, during))
    .flatMap((time) => toParts({ ...within(time), eventId: time.eventId }, { known, stored, own }))
    .map((time) => ({
      ...time,
      eventId: `asked ${randomUUID()}`,
      occurrence: '',
      title: null,
      isAllDay: false,
      generation,
      askedAt,
    }))
  return { removed, kept, added }
}

/** What the copy lacks of a busy time, and the calendar whose appointment each part is. */
function toParts(
  time: Interval & { readonly eventId: string | null },
  { known, stored, own }: Pick<Copies, 'stored' | 'own'> & { readonly known: readonly StoredTime[] },
): (Interval & Pick<StoredTime, 'appointmentCalendarId'>)[] {
  const { eventId } = time
  if (eventId === null) {
    // Where the provider names no events, ours are known by their times.
    const missing = subtract(time, known)
    const ours = own.flatMap(({ appointmentCalendarId, ...written }) =>
      missing
        .filter((part) => overlaps(part, written))
        .map((part) => ({
          startMs: Math.max(part.startMs, written.startMs),
          endMs: Math.min(part.endMs, written.endMs),
          appointmentCalendarId,
        })),
    )
    const others = missing.flatMap((part) => subtract(part, own))
    return [...ours, ...others.map((part) => ({ ...part, appointmentCalendarId: null }))]
  }
  const held = [...own, ...stored].find(
    (other) => other.eventId === eventId && other.appointmentCalendarId !== null,
  )
  const appointmentCalendarId = held?.appointmentCalendarId ?? null
  // Our own event does not cover somebody else's.
  const covering = known.filter((other) => held !== undefined || other.appointmentCalendarId === null)
  return subtract(time, covering).map((part) => ({ ...part, appointmentCalendarId }))
}
