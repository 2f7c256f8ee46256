import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import type { InsightMonths } from '#core/appointments/insight-range.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The data of a calendar's charts. While another range loads, the previous one stays visible. */
export function insightsQuery(calendarId: string, months: InsightMonths) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'insights', calendarId, months],
    queryFn: ({ signal }) =>
      callApi(at.getInsights, { params: { id: calendarId }, query: { months }, signal }),
    retry: retryOnce,
    placeholderData: (shown, shownQuery) => (shownQuery?.queryKey[2] === calendarId ? shown : undefined),
  })
}
