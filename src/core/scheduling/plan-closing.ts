import { addDays } from '#core/shared/calendar-date.ts'

/** Dates in a row, yyyy-MM-dd, both included. */
export type DateSpan = { readonly first: string; readonly last: string }

/** What closing days needs to know of an entry of special days. Without hours it is closed. */
export type SpecialDayEntry = DateSpan & { readonly hours: readonly unknown[] }

/** What closing some days means for the special days of a calendar. */
export type ClosingPlan<Entry extends SpecialDayEntry> = {
  readonly closed: DateSpan
  /** The entries that lose dates. Each keeps nothing, one part, or a part before and a part after `closed`. */
  readonly cut: readonly { readonly entry: Entry; readonly kept: readonly DateSpan[] }[]
  /** How many entries end today or later once the days are closed. */
  readonly toCome: number
}

/**
 * Plans how days are closed. Entries that have some of these dates lose them and keep their others. Days that are over stay as they are.
 * Null when nothing has to be done: all days are over, or one entry has closed them already.
 * Source: rules A24 and T34.
 */
export function planClosing<Entry extends SpecialDayEntry>(
  /** Those that end today or later; no two share a date. */
  entries: readonly Entry[],
  days: DateSpan,
  /** In the zone of the calendar. */
  today: string,
): ClosingPlan<Entry> | null {
  const closed = { first: days.first < today ? today : days.first, last: days.last }
  if (closed.last < closed.first) return null
  const overlapping = entries.filter((entry) => entry.first <= closed.last && entry.last >= closed.first)
  if (overlapping.some((entry) => entry.hours.length === 0 && contains(entry, closed))) return null
  const cut = overlapping.map((entry) => ({ entry, kept: withoutDates(entry, closed) }))
  const keptToCome = cut.flatMap(({ kept }) => kept).filter(({ last }) => last >= today)
  return { closed, cut, toCome: entries.length - cut.length + keptToCome.length + 1 }
}

function contains(outer: DateSpan, inner: DateSpan): boolean {
  return outer.first <= inner.first && inner.last <= outer.last
}

function withoutDates({ first, last }: DateSpan, taken: DateSpan): DateSpan[] {
  const parts = [
    { first, last: addDays(taken.first, -1) },
    { first: addDays(taken.last, 1), last },
  ]
  return parts.filter((part) => part.first <= part.last)
}
