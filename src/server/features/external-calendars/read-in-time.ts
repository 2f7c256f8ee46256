import { MINUTE_MS } from '#core/shared/duration.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
  type ChangesPage,
  type ChangesRequest,
} from '#server/ports/external-calendar.ts'

/** How long a page may take, in milliseconds. */
const PAGE_MS = MINUTE_MS

/** A calendar that is larger than this is not read to its end. */
const MOST_PAGES = 1_000
const MOST_CHANGES = 200_000

/** A calendar that no sync can read to its end. */
export class CalendarTooLargeError extends CalendarProviderError {}

/**
 * What a provider says about changes, page after page, as long as each comes in time, all of them until `endMs` of
 * `performance.now()`, and there is an end.
 * @throws CalendarProviderError
 */
export async function* readInTime(
  provider: Pick<CalendarProvider, 'readChanges'>,
  access: CalendarAccess,
  request: ChangesRequest,
  { endMs }: { readonly endMs: number },
): AsyncIterable<ChangesPage> {
  const iterator = provider.readChanges(access, request)[Symbol.asyncIterator]()
  let changes = 0
  try {
    for (let read = 0; ; read += 1) {
      const next = await inTime(iterator.next(), endMs)
      if (next.done) return
      changes += next.value.changes.length
      if (read >= MOST_PAGES || changes > MOST_CHANGES) {
        throw new CalendarTooLargeError('unavailable', 'The calendar has more events than can be read.')
      }
      yield next.value
    }
  } finally {
    // Nobody waits for one that is late.
    iterator.return?.().catch(() => {})
  }
}

async function inTime<Answer>(answer: Promise<Answer>, endMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    const late = new CalendarProviderError('unavailable', 'The provider did not answer in time.')
    timer = setTimeout(reject, Math.min(PAGE_MS, Math.max(endMs - performance.now(), 0)), late)
  })
  try {
    return await Promise.race([answer, limit])
  } finally {
    clearTimeout(timer)
  }
}
