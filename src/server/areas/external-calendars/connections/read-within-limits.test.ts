import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import {
  type CalendarAccess,
  type ChangesPage,
  type ChangesRequest,
  MAX_BUSY_TIMES,
} from '#server/ports/external-calendar.ts'
import { readWithinLimits } from './read-within-limits.ts'

const LATE = 'The provider didn’t respond in time.'
const PAGE: ChangesPage = { changes: [], cursor: null }
const ACCESS: CalendarAccess = { credentials: 'not used', saveCredentials: async (renewed) => renewed }
const REQUEST = {
  calendar: { externalId: 'calendar', timeZone: 'UTC', readerZones: ['UTC'] as const },
  cursor: null,
  window: { startMs: 0, endMs: MINUTE_MS },
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('reading stops when a page takes longer than a minute', async () => {
  const asked: ChangesRequest[] = []
  const reading = read([PAGE, 'never'], { asked, endMs: performance.now() + 5 * MINUTE_MS })
  expect((await reading.next()).value).toBe(PAGE)
  const failure = failureOf(reading.next())
  await vi.advanceTimersByTimeAsync(MINUTE_MS - 1)
  expect(asked[0]?.signal?.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await failure).toMatchObject({ kind: 'unavailable', message: LATE })
  expect(asked[0]?.signal?.aborted).toBe(true)
})

test('each page has its own minute', async () => {
  const reading = read([50, 50, 50], { endMs: performance.now() + 5 * MINUTE_MS })
  for (let i = 0; i < 3; i += 1) {
    const page = reading.next()
    await vi.advanceTimersByTimeAsync(50 * SECOND_MS)
    expect((await page).value).toEqual(PAGE)
  }
})

test('all pages together have the time limit of the sync', async () => {
  const reading = read([50, 50], { endMs: performance.now() + 70 * SECOND_MS })
  const first = reading.next()
  await vi.advanceTimersByTimeAsync(50 * SECOND_MS)
  expect((await first).value).toEqual(PAGE)
  const failure = failureOf(reading.next())
  await vi.advanceTimersByTimeAsync(20 * SECOND_MS)
  expect(await failure).toMatchObject({ kind: 'unavailable', message: LATE })
})

test('after the time limit nothing is awaited', async () => {
  const reading = read(['never'], { endMs: performance.now() })
  expect(await failureOf(reading.next())).toMatchObject({ kind: 'unavailable', message: LATE })
})

test('a calendar with more busy times than can be stored is abandoned', async () => {
  const half = pageOf(MAX_BUSY_TIMES / 2)
  const reading = read([half, half, pageOf(1)], { endMs: performance.now() + MINUTE_MS })
  for (let i = 0; i < 2; i += 1) expect((await reading.next()).value).toBe(half)
  expect(await failureOf(reading.next())).toMatchObject({
    kind: 'unavailable',
    message: 'The calendar has more events than can be read.',
  })
})

/** Returns a page with one event that has this many busy times. */
function pageOf(busyTimes: number): ChangesPage {
  const occurrences = Array.from({ length: busyTimes }, (_, index) => {
    return { key: `${index}`, startMs: index, endMs: index + 1, isAllDay: false }
  })
  const names = { appointmentId: null, secret: null, isInvitation: false, unreadable: null }
  const event = { eventId: 'series', title: null, occurrences, ...names, etag: null }
  return { changes: [{ eventId: event.eventId, event }], cursor: null }
}

/**
 * Reads pages. A page is returned at once; a number is the delay in seconds before an empty page, and 'never' means
 * that no page is returned.
 */
function read(
  pages: readonly (ChangesPage | number | 'never')[],
  { asked = [], endMs }: { readonly asked?: ChangesRequest[]; readonly endMs: number },
): AsyncIterator<ChangesPage> {
  const provider = {
    async *readChanges(_access: unknown, request: ChangesRequest) {
      asked.push(request)
      for (const page of pages) {
        if (page === 'never') await new Promise(() => {})
        else if (typeof page === 'number') {
          await new Promise((resolve) => setTimeout(resolve, page * SECOND_MS))
          yield PAGE
        } else yield page
      }
    },
  }
  return readWithinLimits(provider, ACCESS, REQUEST, { endMs })[Symbol.asyncIterator]()
}

/** Handles the error from the start, because it may occur before the test waits for it. */
function failureOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.then(
    () => null,
    (error: unknown) => error,
  )
}
