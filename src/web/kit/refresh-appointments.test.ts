import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { OWNER_QUERY_KEY } from './owner-key.ts'
import { refreshAppointments } from './refresh-appointments.ts'

test('what counts or lists appointments is asked for again, and nothing else', async () => {
  const client = new QueryClient()
  const keys = [
    [OWNER_QUERY_KEY, 'appointments', 'c1', 'list'],
    [OWNER_QUERY_KEY, 'upcoming-appointments'],
    [OWNER_QUERY_KEY, 'insights', 'c1', '6'],
    [OWNER_QUERY_KEY, 'overlaps', 'kept'],
    [OWNER_QUERY_KEY, 'locations'],
  ]
  for (const key of keys) client.setQueryData(key, {})
  await refreshAppointments(client)
  const stale = keys.filter((key) => client.getQueryState(key)?.isInvalidated)
  expect(stale).toEqual(keys.slice(0, 4))
})
