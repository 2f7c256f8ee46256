import { describe, expect, test } from 'vitest'
import { makeConnection, makeExternalCalendar, makeExternalCalendars } from '#web/testing/make-records.ts'
import { decideOfferedTimesEffect, lastCheckedText, nextSyncText, pendingWritesText } from './health-words.ts'

const NOW = '2026-12-01T10:00:00Z'

test('the last success is said as people count, and never lies ahead', () => {
  expect(lastCheckedText(makeConnection(), NOW)).toBe('Checked 2 minutes ago')
  expect(lastCheckedText(makeConnection({ last_success_at: '2026-12-01T10:00:50Z' }), NOW)).toBe(
    'Checked just now',
  )
  expect(lastCheckedText(makeConnection({ problem: 'Google didn’t respond.' }), NOW)).toBe(
    'Last checked 2 minutes ago',
  )
  expect(lastCheckedText(makeConnection({ last_success_at: null }), NOW)).toBe('Not checked yet')
})

test('what waits is counted, and nothing is said of nothing', () => {
  expect([0, 1, 3].map(pendingWritesText)).toEqual([
    null,
    '1 appointment waiting to be added',
    '3 appointments waiting to be added',
  ])
})

test('the next try is said, also one that is due', () => {
  expect(nextSyncText(makeConnection(), NOW)).toBe('We’ll try again in 8 minutes.')
  expect(nextSyncText(makeConnection({ next_sync_at: NOW }), NOW)).toBe('We’re trying again now.')
})

describe('what is in effect while a calendar cannot be checked (rule G8)', () => {
  const broken = makeConnection({ problem: 'Google didn’t respond.' })
  const settings = makeExternalCalendars().settings

  test('nothing, where no calendar is read', () => {
    const unread = makeConnection({ calendars: [makeExternalCalendar({ reads_busy_times: false })] })
    expect(decideOfferedTimesEffect(makeExternalCalendars({ connections: [unread] }))).toEqual({
      kind: 'nothing_read',
    })
  })

  test('nothing, where every calendar that is read was checked', () => {
    const unread = makeConnection({
      problem: 'Google didn’t respond.',
      calendars: [makeExternalCalendar({ reads_busy_times: false })],
    })
    expect(
      decideOfferedTimesEffect(makeExternalCalendars({ connections: [makeConnection(), unread] })),
    ).toEqual({
      kind: 'all_checked',
    })
  })

  test('the oldest copy of the calendars in trouble', () => {
    const calendars = [
      makeExternalCalendar({ id: 'a', synced_at: '2026-12-01T09:00:00Z' }),
      makeExternalCalendar({ id: 'b', synced_at: '2026-12-01T07:00:00Z' }),
      makeExternalCalendar({ id: 'c', synced_at: '2026-12-01T05:00:00Z', reads_busy_times: false }),
    ]
    expect(
      decideOfferedTimesEffect(makeExternalCalendars({ connections: [{ ...broken, calendars }] })),
    ).toEqual({
      kind: 'by_copy',
      of: '2026-12-01T07:00:00Z',
    })
  })

  test('offering nothing, whenever the server says so', () => {
    expect(
      decideOfferedTimesEffect(makeExternalCalendars({ connections: [broken], offers_nothing: true })),
    ).toEqual({
      kind: 'offers_nothing',
    })
  })

  test('the copy of what another calendar of the person reads, which decides for itself (rule G31)', () => {
    const read_by_other = { id: 'a', name: 'Family law' }
    const calendars = [makeExternalCalendar({ reads_busy_times: false, read_by_other })]
    const connections = [makeConnection({ state: 'expired', calendars })]
    const external = makeExternalCalendars({
      connections,
      settings: { ...settings, when_unchecked: 'always_offer' },
    })
    expect(decideOfferedTimesEffect(external)).toEqual({ kind: 'by_copy', of: '2026-12-01T09:58:00Z' })
  })

  test('offering everything, where the owner wants that', () => {
    expect(
      decideOfferedTimesEffect(
        makeExternalCalendars({
          connections: [makeConnection({ state: 'expired' })],
          settings: { ...settings, when_unchecked: 'always_offer' },
        }),
      ),
    ).toEqual({ kind: 'offers_all' })
  })
})
