// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { stubApi } from '#web/testing/stub-api.ts'
import { offeredTimesQuery, servicesQuery } from './owner-booking-queries.ts'

test('the services are not loaded again when the panel that edits them has them', async () => {
  const answer = { appointment_types: [], stripe_connected: false, paypal_connected: false }
  const api = stubApi({ [`GET /api/calendars/${CALENDAR_ID}/appointment-types`]: answer })
  const client = new QueryClient()
  await client.fetchQuery(appointmentTypesQuery(CALENDAR_ID))
  await client.fetchQuery(servicesQuery(CALENDAR_ID))
  expect(api.sent).toHaveLength(1)
})

test('the times of a calendar without types are asked for without one', async () => {
  const calendar = makeCalendar()
  const path = `GET /api/public/calendars/${calendar.slug}/slots`
  const api = stubApi({ [path]: { date: '2027-01-05', time_zone: 'Europe/London', slots: [] } })
  await new QueryClient().fetchQuery(offeredTimesQuery(calendar, '2027-01-05', ''))
  expect(api.sent.map(({ search }) => search.toString())).toEqual(['date=2027-01-05'])
})
