// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { readSavedDraft } from './saved-draft.ts'

const START = '2027-01-05T09:30:00Z'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z'), toFake: ['Date'] })
})

test('a link with a time opens the booking page with the day and the time chosen', () => {
  open(`?start=${encodeURIComponent(START)}&type=type-1`, null)
  expect(readSavedDraft()).toMatchObject({ typeId: 'type-1', startsAt: START, zone: 'visitor' })
  // The day is that of the browser's own zone.
  const local = new Date(START)
  const day = [local.getFullYear(), local.getMonth() + 1, local.getDate()]
  expect(readSavedDraft()?.date?.split('-').map(Number)).toEqual(day)
})

test('a calendar without types, and a time with milliseconds', () => {
  open('?start=2027-01-05T09:30:00.000Z&embed', null)
  expect(readSavedDraft()).toMatchObject({ typeId: null, startsAt: START })
})

test('what the customer has chosen since then stays after a reload', () => {
  open(`?start=${START}`, { draft: { startsAt: '2027-01-06T09:30:00Z' } })
  expect(readSavedDraft()?.startsAt).toBe('2027-01-06T09:30:00Z')
  open(`?start=${START}`, { draft: null })
  expect(readSavedDraft()).toBeNull()
})

test('a link with a type opens the booking page with the type chosen, and no day. Source: rule T66', () => {
  open('?type=type-1', null)
  expect(readSavedDraft()).toEqual({ typeId: 'type-1' })
})

test.each(['', '?start=', '?start=soon', '?start=2026-11-20T09:00:00Z', '?type=', '?start=9e99'])(
  'an address without a type or a time to come (%s) chooses nothing',
  (search) => {
    open(search, { other: 1 })
    expect(history.state).toEqual({ other: 1 })
  },
)

/** Runs public/chosen-time.js as the browser does: as a classic script, before all other scripts. */
function open(search: string, state: object | null): void {
  history.replaceState(state, '', `/book/dr-grey${search}`)
  new Function(readFileSync('src/web/public/chosen-time.js', 'utf8'))()
}
