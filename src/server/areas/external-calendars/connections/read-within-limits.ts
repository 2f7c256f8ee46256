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

/** How long a page may take, in milliseconds. */
const PAGE_MS = MINUTE_MS

/** The provider takes longer than a sync has. */
export class TooSlowError extends CalendarProviderError {}

/** When a sync gives up: at `endMs` of `performance.now()`, and on each answer after `pageMs`. */
export type SyncLimits = { readonly endMs: number; readonly pageMs?: number }

/** A calendar that is larger than this, or has more busy times, is not read to its end. Source: rule G25. */
const MOST_PAGES = 1_000
const MOST_CHANGES = 200_000

/**
 * What a provider says about changes, page after page, as long as they come in time and there is an end.
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
    // Nobody waits for one that is late, and its provider is not asked on.
    ending.abort()
    iterator.return?.().catch(() => {})
  }
}

/** Events count by the times that they take: a series of two years may take thousands. */
function countBusyTimes({ changes }: ChangesPage): number {
  return changes.reduce((count, { event }) => count + (event?.occurrences.length ?? 0), 0)
}

/**
 * Waits for an answer as long as the limits allow.
 * @throws TooSlowError
 */
export async function awaitWithinLimits<Answer>(
  answer: Promise<Answer>,
  { endMs, pageMs = PAGE_MS }: SyncLimits,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const leftMs = Math.min(pageMs, endMs - performance.now())
  const limit = new Promise<never>((_resolve, reject) => {
    const late = new TooSlowError('unavailable', 'The provider did not answer in time.')
    if (leftMs <= 0) reject(late)
    else timer = setTimeout(reject, leftMs, late)
  })
  try {
    return await Promise.race([limit, answer])
  } finally {
    clearTimeout(timer)
  }
}
