import { addDays } from '#core/shared/calendar-date.ts'

/** Consecutive dates, yyyy-MM-dd, both inclusive. */
export type DateRange = { readonly first: string; readonly last: string }

/** The part of a special-days entry that closing needs. No hours means closed. */
export type SpecialDayEntry = DateRange & { readonly hours: readonly unknown[] }

/** The changes to a calendar's special days when some days are closed. */
export type ClosedDaysPlan<Entry extends SpecialDayEntry> = {
  readonly closed: DateRange
  /** Entries that lose dates. Each keeps nothing, one part, or one part before and one after `closed`. */
  readonly cut: readonly { readonly entry: Entry; readonly kept: readonly DateRange[] }[]
  /** Number of entries that end today or later after the change. */
  readonly toCome: number
}

/**
 * Plans the closing of some days. Existing entries lose the closed dates and keep their others. Past days do not
 * change. Null when there is nothing to do: all days are past, or one entry already closes them. Source: rules A24 and
 * T34.
 */
export function planClosedDays<Entry extends SpecialDayEntry>(
  /** Entries that end today or later; no two share a date. */
  entries: readonly Entry[],
  days: DateRange,
  /** In the calendar's time zone. */
  today: string,
): ClosedDaysPlan<Entry> | null {
  const closed = { first: days.first < today ? today : days.first, last: days.last }
  if (closed.last < closed.first) return null
  const overlapping = entries.filter((entry) => entry.first <= closed.last && entry.last >= closed.first)
  if (overlapping.some((entry) => entry.hours.length === 0 && contains(entry, closed))) return null
  const cut = overlapping.map((entry) => ({ entry, kept: withoutDates(entry, closed) }))
  const keptToCome = cut.flatMap(({ kept }) => kept).filter(({ last }) => last >= today)
  return { closed, cut, toCome: entries.length - cut.length + keptToCome.length + 1 }
}

function contains(outer: DateRange, inner: DateRange): boolean {
  return outer.first <= inner.first && inner.last <= outer.last
}

function withoutDates({ first, last }: DateRange, taken: DateRange): DateRange[] {
  const parts = [
    { first, last: addDays(taken.first, -1) },
    { first: addDays(taken.last, 1), last },
  ]
  return parts.filter((part) => part.first <= part.last)
}
