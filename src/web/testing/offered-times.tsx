import { useQuery } from '@tanstack/react-query'
import { ownTimesKey } from '#web/kit/own-times.ts'
import { getJson } from '#web/shared/api-client.ts'
import { CALENDAR_ID } from './make-records.ts'

export const OFFERED_TIMES = 'GET /api/public/calendars/dr-grey/slots'

/** Keeps offered times as the owner's own booking does, to see when they are asked for again. */
export function OfferedTimes() {
  useQuery({
    queryKey: [...ownTimesKey(CALENDAR_ID), 'offered'],
    queryFn: ({ signal }) => getJson<object>('/api/public/calendars/dr-grey/slots', signal),
    staleTime: 60_000,
  })
  return null
}
