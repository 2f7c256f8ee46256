import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import type { InsightMonths } from '#core/appointments/insight-range.ts'
import { type CalendarScope, toKeyParts } from '#web/kit/calendar-scope.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/**
 * The data of the charts of a calendar, or of all calendars in one time zone. While another range loads, the previous one stays
 * visible.
 */
export function insightsQuery(scope: CalendarScope, months: InsightMonths) {
  const { key, timeZone } = toKeyParts(scope)
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'insights', key, months, timeZone],
    queryFn: ({ signal }) =>
      typeof scope === 'string'
        ? callApi(at.getInsights, { params: { id: scope }, query: { months }, signal })
        : callApi(at.getAllInsights, { query: { months, time_zone: scope.timeZone }, signal }),
    retry: retryOnce,
    placeholderData: (shown, shownQuery) => (shownQuery?.queryKey[2] === key ? shown : undefined),
  })
}
