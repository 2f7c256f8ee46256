import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ICS_PARSERS } from '#server/integrations/ics/parsers.ts'
import { CalendarTooLargeError, ResponseTooLargeError } from '#server/ports/external-calendar.ts'
import { CONTRACT_TEST_WINDOW } from '#tests/support/calendar-provider-contract.ts'
import { toCalendarText } from '#tests/support/persons-event-file.ts'
import type { MISBEHAVING_READINGS } from '#tests/support/reading-program.ts'
import { buildIsolatedParser, type IsolatedParser } from './isolated-parser.ts'
import type { RunParser } from './parser-table.ts'

const PRODUCT = join(import.meta.dirname, '../../app/reading-process.ts')
const PROGRAM = join(import.meta.dirname, '../../../../tests/support/reading-program.ts')

/** Content from an owner's server must cost time only for this owner. Source: rule G26. */
describe('a reading in a process of its own', () => {
  let apart: IsolatedParser
  let read: RunParser<typeof MISBEHAVING_READINGS>
  beforeEach(() => {
    apart = buildIsolatedParser({ program: PROGRAM, quickMs: 300, longMs: 900, budgetMs: 2_000 })
    read = apart.of('misbehaving')
  })
  afterEach(() => apart.stop())

  test('answers, and the process serves the next one', async () => {
    expect(await read('echo', { text: 'one' }, { account: 'a' })).toEqual(['one'])
    expect(await read('echo', { text: 'two' }, { account: 'b' })).toEqual(['two'])
  })

  test('that never ends is ended, while others run here and are read', { tags: ['slow'] }, async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const hostile = read('forever', { isOver: false }, { account: 'hostile' })
    const honest = read('echo', { text: 'honest' }, { account: 'honest' })
    await expect(hostile).rejects.toBeInstanceOf(CalendarTooLargeError)
    await expect(hostile).rejects.toMatchObject({ message: expect.stringContaining('too long') })
    expect(await honest).toEqual(['honest'])
    delay.disable()
    expect(delay.percentile(50) / 1e6).toBeLessThan(100)
  })

  test('that refuses says so in the same words, and one that fails says that it cannot be read', async () => {
    await expect(read('refuse', { words: 'Too large.' }, { account: 'a' })).rejects.toBeInstanceOf(
      CalendarTooLargeError,
    )
    await expect(read('fail', {}, { account: 'a' })).rejects.toMatchObject({
      kind: 'refused',
      message: 'We can’t read the server’s response.',
    })
  })

  test('before a booking is given up early, and at once where the account is known for it', async () => {
    const question = { account: 'slow', isQuestion: true }
    await expect(read('forever', { isOver: false }, question)).rejects.toBeInstanceOf(ResponseTooLargeError)
    await expect(read('echo', { text: 'never read' }, question)).rejects.toBeInstanceOf(ResponseTooLargeError)
    expect(await read('echo', { text: 'synced' }, { account: 'slow' })).toEqual(['synced'])
  })

  test('ends when nobody waits for it any more', async () => {
    const signal = AbortSignal.timeout(50)
    await expect(read('forever', { isOver: false }, { account: 'a', signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    expect(await read('echo', { text: 'next' }, { account: 'b' })).toEqual(['next'])
  })

  test('waits for at most one of each other account, and a question for none', async () => {
    const order: string[] = []
    const note = async (account: string, isQuestion = false) => {
      await read('work', { forMs: 20 }, { account, isQuestion })
      order.push(account)
    }
    await read('echo', { text: 'begun' }, { account: 'first' })
    const all = [...Array.from({ length: 5 }, () => note('many')), note('one'), note('question', true)]
    await Promise.all(all)
    expect(order).toEqual(['many', 'question', 'many', 'one', 'many', 'many', 'many'])
  })

  test('of an account that caused too much work waits, and that of others does not', {
    tags: ['slow'],
  }, async () => {
    for (let round = 0; round < 2; round += 1) {
      await expect(read('forever', { isOver: false }, { account: 'hostile' })).rejects.toBeInstanceOf(
        CalendarTooLargeError,
      )
    }
    await expect(read('echo', { text: 'never read' }, { account: 'hostile' })).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: expect.any(Number),
      message: expect.stringContaining('more work'),
    })
    expect(await read('echo', { text: 'read' }, { account: 'honest' })).toEqual(['read'])
  })
})

test.each(['fillHeap', 'fillMemory'] as const)(
  'a reading that takes too much memory is ended: %s',
  { tags: ['slow'] },
  async (name) => {
    // Use the product's maximum CPU time, because filling the memory takes some time.
    const apart = buildIsolatedParser({ program: PROGRAM, quickMs: 15_000 })
    const read = apart.of<typeof MISBEHAVING_READINGS>('misbehaving')
    await expect(read(name, { most: 1_000_000 }, { account: name })).rejects.toMatchObject({
      name: 'CalendarProviderError',
      message: expect.stringContaining('too much memory'),
    })
    expect(await read('echo', { text: 'next' }, { account: 'honest' })).toEqual(['next'])
    apart.stop()
  },
)

test('a calendar file whose rules never come to an end is given up, in the program of the product', {
  tags: ['slow'],
}, async () => {
  const apart = buildIsolatedParser({ program: PRODUCT, quickMs: 200, longMs: 400 })
  const read: RunParser<typeof ICS_PARSERS> = apart.of('ics')
  const days = Array.from({ length: 300 }, (_, index) => index + 1).join(',')
  const rules = Array.from({ length: 90 }, () => `RRULE:FREQ=YEARLY;BYYEARDAY=${days}`)
  const events = Array.from({ length: 40 }, (_, index) => [
    ...['BEGIN:VEVENT', `UID:${index}`, 'DTSTART:20270101T090000Z', 'DURATION:PT1H', ...rules, 'END:VEVENT'],
  ])
  const file = (lines: readonly string[]) => ({
    content: new TextEncoder().encode(toCalendarText(lines)),
    url: 'https://calendar.example/rules.ics',
    ownUidHost: 'meridian.example',
    version: { etag: null, lastModified: null },
    request: {
      calendar: { externalId: 'file', timeZone: 'Europe/Berlin', readerZones: ['Europe/Berlin'] as const },
      cursor: null,
      window: CONTRACT_TEST_WINDOW,
    },
  })
  await expect(read('changes', file(events.flat()), { account: 'a' })).rejects.toBeInstanceOf(
    CalendarTooLargeError,
  )
  const [page] = await read('changes', file([]), { account: 'b' })
  expect(page?.changes).toEqual([])
  apart.stop()
})
