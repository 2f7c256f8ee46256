import { nameOf } from './content-line.ts'
import type { EventPart } from './read-calendar-file.ts'

/** Maximum components per UID: a daily series with every day moved has 760 in our copy. */
const MAX_PARTS = 5_000

/** Limits on the expensive parts of an event. An hourly series has 18,000 dates in our copy. Source: rule G25. */
const MOST = { RRULE: 100, EXRULE: 100, RDATE: 20_000, FREEBUSY: 20_000, EXDATE: 20_000 }

type Counted = keyof typeof MOST

/** An event reduced to the limits. */
export type LimitedEvent = {
  readonly parts: readonly EventPart[]
  /** What was dropped: whole components, whose times are unknown, or some times of the remaining ones. */
  readonly missing: 'nothing' | 'components' | 'times'
}

/**
 * Drops the parts of an event beyond the limits before they cost anything: anybody can send such an event. Times whose
 * exclusion was dropped stay busy. Source: rule G25.
 */
export function limitEvent(parts: readonly EventPart[]): LimitedEvent {
  const used: Record<Counted, number> = { RRULE: 0, EXRULE: 0, RDATE: 0, FREEBUSY: 0, EXDATE: 0 }
  const isKept = (line: string) => {
    const name = nameOf(line)
    if (!isCounted(name)) return true
    // A comma in the name of a time zone is counted too, which does not matter.
    used[name] += name === 'RRULE' || name === 'EXRULE' ? 1 : line.split(',').length
    return used[name] <= MOST[name]
  }
  const kept = parts.slice(0, MAX_PARTS).map((part) => ({ ...part, lines: part.lines.filter(isKept) }))
  if (parts.length > MAX_PARTS) return { parts: kept, missing: 'components' }
  const isWhole = (['RRULE', 'RDATE', 'FREEBUSY'] as const).every((name) => used[name] <= MOST[name])
  return { parts: kept, missing: isWhole ? 'nothing' : 'times' }
}

function isCounted(name: string): name is Counted {
  return Object.hasOwn(MOST, name)
}
