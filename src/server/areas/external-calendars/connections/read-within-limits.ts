import { MINUTE_MS } from '#core/shared/duration.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
  CalendarTooLargeError,
  type ChangesPage,
  type ChangesRequest,
  MAX_BUSY_TIMES,
} from '#server/ports/external-calendar.ts'

/** How long the provider may take for each page, in milliseconds. */
const PAGE_MS = MINUTE_MS

/** The provider took longer than the sync's time limit. */
export class TooSlowError extends CalendarProviderError {}

/** The limits of a sync: it ends at `endMs` (by `performance.now()`), and each response must arrive within `pageMs`. */
export type SyncLimits = { readonly endMs: number; readonly pageMs?: number }

/** Maximum number of pages. Larger calendars are not read to the end. Source: rule G25. */
const MOST_PAGES = 1_000
const MOST_CHANGES = 200_000

/**
 * Yields a provider's pages of changes, within the limits on time and size.
 * @throws CalendarProviderError
 */
export async function* readWithinLimits(
  provider: Pick<CalendarProvider, 'readChanges'>,
  access: CalendarAccess,
  request: Omit<ChangesRequest, 'signal'>,
  limits: SyncLimits,
): AsyncIterable<ChangesPage> {
  const ending = new AbortController()
  const pages = provider.readChanges(access, { ...request, signal: ending.signal })
  const iterator = pages[Symbol.asyncIterator]()
  let changes = 0
  let busyTimes = 0
  try {
    for (let read = 0; ; read += 1) {
      const next = await awaitWithinLimits(iterator.next(), limits)
      if (next.done) return
      changes += next.value.changes.length
      busyTimes += countBusyTimes(next.value)
      if (read >= MOST_PAGES || changes > MOST_CHANGES || busyTimes > MAX_BUSY_TIMES) {
        throw new CalendarTooLargeError('unavailable', 'The calendar has more events than can be read.')
      }
      yield next.value
    }
  } finally {
    // Abort the adapter without waiting for a late response.
    ending.abort()
    iterator.return?.().catch(() => {})
  }
}

/** Counts every occurrence, because a recurring event of two years may have thousands. */
function countBusyTimes({ changes }: ChangesPage): number {
  return changes.reduce((count, { event }) => count + (event?.occurrences.length ?? 0), 0)
}

/**
 * Waits for a response within the limits.
 * @throws TooSlowError
 */
export async function awaitWithinLimits<Answer>(
  answer: Promise<Answer>,
  { endMs, pageMs = PAGE_MS }: SyncLimits,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const leftMs = Math.min(pageMs, endMs - performance.now())
  const limit = new Promise<never>((_resolve, reject) => {
    const late = new TooSlowError('unavailable', 'The provider didn’t respond in time.')
    if (leftMs <= 0) reject(late)
    else timer = setTimeout(reject, leftMs, late)
  })
  try {
    return await Promise.race([limit, answer])
  } finally {
    clearTimeout(timer)
  }
}
