import type { AppointmentFilter } from '#contract/appointments/appointments.ts'
import { type AppointmentSearch, toAppointmentSearch } from '#core/appointments/appointment-search.ts'
import {
  countMatchingFilter,
  isEarliestFirst,
  type ListCounts,
  toPageQuery,
  toPageRange,
} from '#core/shared/list-range.ts'
import type { Db } from '#server/platform/db/database.ts'
import { toSearchReaders } from '#server/platform/phone-numbers/parse-phone.ts'
import {
  type AppointmentListScope,
  countListedAppointments,
  type ListPosition,
  listIdsAfter,
  listIdsFromPosition,
} from './list-repository.ts'
import {
  countMatches,
  countMatchesInFilter,
  listMatchesPage,
  listMatchIds,
  matchesSearchSql,
} from './search-repository.ts'

/**
 * Maximum number of matches that a search reads and sorts (10 ms). If there are more, the search walks the list in
 * order and checks each appointment (at most 60 ms for 100,000).
 */
const MAX_SORTED = 2_000

type Page = { readonly total: number; readonly ids: readonly string[] }

/** Returns one page of the filtered list, or of the search results within it, with the exact total. */
export async function findAppointmentPage(
  db: Db,
  scope: AppointmentListScope,
  query: {
    readonly filter: AppointmentFilter
    readonly search: string
    readonly page: number
    readonly size: number
    /** Overrides `MAX_SORTED` in tests, which have fewer appointments. */
    readonly maxSorted?: number
  },
): Promise<Page> {
  const counts = await countListedAppointments(db, scope)
  const search = parseSearch(scope, query.search)
  if (search === null) return findPlainPage(db, scope, counts, query)
  const found = await countMatches(db, scope, search)
  // A search that matches everything, such as the `@` of an email address, returns the plain list.
  if (found === counts.all) return findPlainPage(db, scope, counts, query)
  return findFoundPage(db, scope, counts, { ...query, search, found })
}

async function findPlainPage(
  db: Db,
  scope: AppointmentListScope,
  counts: ListCounts,
  query: { readonly filter: AppointmentFilter; readonly page: number; readonly size: number },
): Promise<Page> {
  const range = toPageRange(query.filter, counts, { number: query.page, size: query.size })
  const ids = await listIdsFromPosition(db, scope, range)
  return {
    total: countMatchingFilter(query.filter, counts),
    ids: isEarliestFirst(query.filter) ? ids : ids.reverse(),
  }
}

async function findFoundPage(
  db: Db,
  scope: AppointmentListScope,
  counts: ListCounts,
  query: {
    readonly filter: AppointmentFilter
    readonly search: AppointmentSearch
    /** The total number of matches. */
    readonly found: number
    readonly page: number
    readonly size: number
    readonly maxSorted?: number
  },
): Promise<Page> {
  const { filter, search, found, size, maxSorted = MAX_SORTED } = query
  if (found <= maxSorted) {
    const ids = await listMatchIds(db, scope, { filter, search, direction: directionOf(filter) })
    const offset = (query.page - 1) * size
    return { total: ids.length, ids: ids.slice(offset, offset + size) }
  }
  const total = await countFoundOf(db, scope, { filter, search, found, counts })
  const { offset, limit, isFromEnd } = toPageQuery(total, { number: query.page, size })
  if (limit === 0) return { total, ids: [] }
  const direction = isEarliestFirst(filter) === isFromEnd ? 'desc' : 'asc'
  const ids = await listMatchesPage(db, scope, { filter, search, direction, offset, limit })
  return { total, ids: isFromEnd ? ids.reverse() : ids }
}

/** Counts the matches in the filter. The total is known, so only the smaller part (past or upcoming) is counted. */
async function countFoundOf(
  db: Db,
  scope: AppointmentListScope,
  query: {
    readonly filter: AppointmentFilter
    readonly search: AppointmentSearch
    readonly found: number
    readonly counts: ListCounts
  },
): Promise<number> {
  const { filter, search, found, counts } = query
  if (filter === 'all') return found
  const shorter = counts.past < counts.all - counts.past ? 'past' : 'upcoming'
  const count = await countMatchesInFilter(db, scope, shorter, search)
  return filter === shorter ? count : found - count
}

/**
 * Yields all ids of a filter and a search in list order, in chunks. No database connection is held between two chunks.
 */
export async function* listInChunks(
  db: Db,
  scope: AppointmentListScope,
  query: { readonly filter: AppointmentFilter; readonly search: string; readonly size: number },
): AsyncGenerator<readonly string[]> {
  const { filter, size } = query
  const direction = directionOf(filter)
  const search = parseSearch(scope, query.search)
  if (search !== null && (await countMatches(db, scope, search)) <= MAX_SORTED) {
    const ids = await listMatchIds(db, scope, { filter, search, direction })
    for (let i = 0; i < ids.length; i += size) yield ids.slice(i, i + size)
    return
  }
  const where = search === null ? {} : { where: matchesSearchSql(scope, search) }
  for (let after: ListPosition | null = null; ; ) {
    const listed: ListPosition[] = await listIdsAfter(db, scope, {
      filter,
      direction,
      after,
      limit: size,
      ...where,
    })
    const last = listed.at(-1)
    if (last === undefined) return
    yield listed.map(({ id }) => id)
    if (listed.length < size) return
    after = last
  }
}

function parseSearch({ phoneTimeZone }: AppointmentListScope, typed: string): AppointmentSearch | null {
  return toAppointmentSearch(typed, toSearchReaders(phoneTimeZone))
}

function directionOf(filter: AppointmentFilter): 'asc' | 'desc' {
  return isEarliestFirst(filter) ? 'asc' : 'desc'
}
