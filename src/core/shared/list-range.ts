export type ListFilter = 'upcoming' | 'past' | 'all'

/** Number of appointments in a list, and how many of them are before today. */
export type ListCounts = { readonly all: number; readonly past: number }

/** Position of a page: `length` appointments from index `start`; index 0 is the earliest appointment. */
export type ListRange = { readonly start: number; readonly length: number }

/** Returns the number of appointments that a filter shows. */
export function countMatchingFilter(filter: ListFilter, { all, past }: ListCounts): number {
  if (filter === 'all') return all
  return filter === 'past' ? past : all - past
}

/** Upcoming appointments are listed earliest first; past and all are listed latest first (rule V1). */
export function isEarliestFirst(filter: ListFilter): boolean {
  return filter === 'upcoming'
}

/**
 * Converts a page number to a position among all appointments ordered by time. Every filter uses the same indexes, so
 * the counts per day tell on which day a page begins. Empty beyond the last page.
 */
export function toPageRange(
  filter: ListFilter,
  counts: ListCounts,
  page: { readonly number: number; readonly size: number },
): ListRange {
  const offset = (page.number - 1) * page.size
  const length = Math.max(0, Math.min(page.size, countMatchingFilter(filter, counts) - offset))
  if (filter === 'upcoming') return { start: counts.past + offset, length }
  return { start: Math.max(0, countMatchingFilter(filter, counts) - offset - length), length }
}

/** How to query a page: skip `offset` rows from one end of the list, then read `limit` rows. */
export type PageQuery = { readonly offset: number; readonly limit: number; readonly isFromEnd: boolean }

/**
 * Counts from the nearer end of the list, because OFFSET reads every row that it skips. Reads nothing beyond the last
 * page.
 */
export function toPageQuery(
  total: number,
  page: { readonly number: number; readonly size: number },
): PageQuery {
  const offset = (page.number - 1) * page.size
  const limit = Math.max(0, Math.min(page.size, total - offset))
  const isFromEnd = offset > total / 2
  return { offset: isFromEnd ? Math.max(0, total - offset - limit) : offset, limit, isFromEnd }
}
