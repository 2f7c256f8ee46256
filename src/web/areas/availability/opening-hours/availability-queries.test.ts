import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { insightsQuery } from '#web/areas/appointments/insights/insights-query.ts'
import { agendaQuery, appointmentsQuery } from '#web/areas/appointments/list/appointment-queries.ts'
import { DEFAULT_APPOINTMENTS_VIEW } from '#web/areas/appointments/list/appointments-view.ts'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import { ownerFreeTimesKey } from '#web/kit/own-times.ts'
import { refreshAvailability } from '#web/kit/refresh-availability.ts'
import { availabilityPreviewQuery, specialDaysQuery } from './availability-queries.ts'

const HERE = 'calendar-1'

test('a change of the hours invalidates exactly the queries that depend on the hours of this calendar', async () => {
  const client = new QueryClient()
  const keysOf = (id: string) => [
    availabilityQuery(id).queryKey,
    specialDaysQuery(id).queryKey,
    availabilityPreviewQuery(id, '2027-01-04', null).queryKey,
    ownerFreeTimesKey(id),
    agendaQuery(id, '2027-01-04', 7).queryKey,
    insightsQuery(id, '12').queryKey,
  ]
  const ofAll = [
    agendaQuery({ timeZone: 'Europe/London' }, '2027-01-04', 7).queryKey,
    insightsQuery({ timeZone: 'Europe/London' }, '12').queryKey,
  ]
  const others = [...keysOf('calendar-2'), appointmentsQuery(HERE, DEFAULT_APPOINTMENTS_VIEW).queryKey]
  for (const key of [...keysOf(HERE), ...ofAll, ...others]) client.setQueryData(key as readonly unknown[], {})
  await refreshAvailability(client, HERE)
  const isOld = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated
  expect(keysOf(HERE).map(isOld)).toEqual([true, true, true, true, true, true])
  expect(ofAll.map(isOld)).toEqual([true, true])
  expect(others.map(isOld)).toEqual(others.map(() => false))
})
