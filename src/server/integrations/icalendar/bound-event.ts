import { nameOf } from './content-line.ts'
import type { EventPart } from './read-calendar-file.ts'

/** Components of one UID: a daily series with every day moved has 760 in the copy. */
const MAX_PARTS = 5_000

/** How much one event may have of what costs time and room. An hourly series has 18,000 dates in the copy. Source: rule G25. */
const MOST = { RRULE: 100, EXRULE: 100, RDATE: 20_000, FREEBUSY: 20_000, EXDATE: 20_000 }

type Counted = keyof typeof MOST

/** An event as far as it is read. */
export type LimitedEvent = {
  readonly parts: readonly EventPart[]
  /** What is left out of it: further components, of which nothing is known, or times of those that are read. */
  readonly missing: 'nothing' | 'components' | 'times'
}

/**
 * Leaves out what of an event is beyond the bounds, before it costs anything: anybody can send such an event. Excluded dates that are
 * left out stay busy. Source: rule G25.
 */
export function limitEvent(parts: readonly EventPart[]): LimitedEvent {
  const used: Record<Counted, number> = { RRULE: 0, EXRULE: 0, RDATE: 0, FREEBUSY: 0, EXDATE: 0 }
  const isKept = (line: string) => {
    const name = nameOf(line)
    if (!isCounted(name)) return true
    // A comma in the name of a zone counts, too, and makes no difference.
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
