export type ListFilter = 'upcoming' | 'past' | 'all'

/** How many appointments a list has, and how many of them lie before today. */
export type ListCounts = { readonly all: number; readonly past: number }

/** Where a page lies: `length` appointments from number `start` on, the earliest of the list being number 0. */
export type ListRange = { readonly start: number; readonly length: number }

/** How many appointments a filter shows. */
export function countOf(filter: ListFilter, { all, past }: ListCounts): number {
  if (filter === 'all') return all
  return filter === 'past' ? past : all - past
}

/** Upcoming is read from the earliest on; past and all from the newest back (rule V1). */
export function isEarliestFirst(filter: ListFilter): boolean {
  return filter === 'upcoming'
}

/**
 * Where a page of a filter lies among all appointments in order of time. Because every filter counts from the same end,
 * the counts per day say on which day the page begins. Empty beyond the last page.
 */
export function toPageRange(
  filter: ListFilter,
  counts: ListCounts,
  page: { readonly number: number; readonly size: number },
): ListRange {
  const offset = (page.number - 1) * page.size
  const length = Math.max(0, Math.min(page.size, countOf(filter, counts) - offset))
  if (filter === 'upcoming') return { start: counts.past + offset, length }
  return { start: Math.max(0, countOf(filter, counts) - offset - length), length }
}

/** How a page is read: `limit` rows after the first `offset`, counted from one end of the list. */
export type PageQuery = { readonly offset: number; readonly limit: number; readonly isFromEnd: boolean }

/** Counts from the nearer end, because an OFFSET costs every row that it skips. Nothing beyond the last page. */
export function planPageQuery(
  total: number,
  page: { readonly number: number; readonly size: number },
): PageQuery {
  const offset = (page.number - 1) * page.size
  const limit = Math.max(0, Math.min(page.size, total - offset))
  const isFromEnd = offset > total / 2
  return { offset: isFromEnd ? Math.max(0, total - offset - limit) : offset, limit, isFromEnd }
}
