import { afterEach, expect, test, vi } from 'vitest'
import { makeCalendar, OWNER_ID } from '#web/testing/make-records.ts'
import { keepOwnCalendars } from './calendar-queries.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('calendars of other users are left out, and a warning says so', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const own = makeCalendar()
  const foreign = makeCalendar({ user_id: '00000000-0000-4000-8000-000000000002' })
  expect(keepOwnCalendars([foreign, own], OWNER_ID)).toEqual([own])
  expect(warn).toHaveBeenCalledTimes(1)
})

test('a list of one’s own calendars passes without a warning', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const calendars = [makeCalendar(), makeCalendar({ id: '00000000-0000-4000-8000-000000000102' })]
  expect(keepOwnCalendars(calendars, OWNER_ID)).toEqual(calendars)
  expect(warn).not.toHaveBeenCalled()
})
