import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { CALENDAR_ID, makeCalendar, OWNER_ID } from '#web/testing/make-records.ts'
import { calendarKey, calendarsKey, futureAppointmentsQuery, updateCachedCalendar } from './calendar-cache.ts'

const OTHER = makeCalendar({ id: '00000000-0000-4000-8000-000000000102', name: 'Other' })

test('a changed calendar is shown in the list and by itself at once', () => {
  const client = makeClient()
  const changed = makeCalendar({ category: 'Coach' })
  updateCachedCalendar(client, changed)
  expect(client.getQueryData(calendarKey(OWNER_ID, CALENDAR_ID))).toEqual(changed)
  expect(client.getQueryData(calendarsKey(OWNER_ID))).toEqual([OTHER, changed])
})

test('what has times in it is asked again when the zone has changed, and only then', () => {
  const client = makeClient()
  const isStale = () => client.getQueryState(futureAppointmentsQuery(CALENDAR_ID).queryKey)?.isInvalidated
  updateCachedCalendar(client, makeCalendar({ category: 'Coach' }))
  expect(isStale()).toBe(false)
  updateCachedCalendar(client, makeCalendar({ timezone: 'Asia/Tokyo' }))
  expect(isStale()).toBe(true)
  expect(client.getQueryState(calendarKey(OWNER_ID, CALENDAR_ID))?.isInvalidated).toBe(false)
})

function makeClient(): QueryClient {
  const client = new QueryClient()
  client.setQueryData<Calendar>(calendarKey(OWNER_ID, CALENDAR_ID), makeCalendar())
  client.setQueryData<Calendar[]>(calendarsKey(OWNER_ID), [OTHER, makeCalendar()])
  client.setQueryData(futureAppointmentsQuery(CALENDAR_ID).queryKey, {
    future_appointments: 0,
    without_email: 0,
    paid: 0,
    next_appointment: null,
  })
  return client
}
