import { useQuery } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { ownerFreeTimesKey } from '#web/kit/own-times.ts'
import { callApi } from '#web/shared/call-api.ts'
import { CALENDAR_ID } from './make-records.ts'

export const OFFERED_TIMES = 'GET /api/public/calendars/dr-grey/slots'

/** Loads free times as the owner's booking dialog does, for tests that check when they are reloaded. */
export function OfferedTimes() {
  useQuery({
    queryKey: [...ownerFreeTimesKey(CALENDAR_ID), 'offered'],
    queryFn: ({ signal }) =>
      callApi(at.getPublicAvailableTimeSlotsWithGoogle, {
        params: { slug: 'dr-grey' },
        query: { date: '2027-01-05' },
        signal,
      }),
    staleTime: 60_000,
  })
  return null
}
