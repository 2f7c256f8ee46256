import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

export type DayRange = {
  readonly from: string
  readonly to: string
  /** Limits the change to one session. */
  readonly session_id?: string | undefined
}

/** The effect of changing these days. Refetched each time it is shown, because customers keep booking. */
export function bulkChangePreviewQuery(calendarId: string, range: DayRange) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointments', calendarId, 'many-change', range],
    queryFn: ({ signal }) =>
      callApi(at.getManyChangeEffect, { params: { id: calendarId }, query: range, signal }),
    retry: retryOnce,
    staleTime: 0,
  })
}

/** Polling interval while a change is running, in milliseconds. */
const UNDER_WAY_MS = 1_000

/** The progress of a change. Polled until the change has finished. */
export function bulkChangeQuery(calendarId: string, changeId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'many-change', calendarId, changeId],
    queryFn: ({ signal }) =>
      callApi(at.getManyChange, { params: { id: calendarId, change_id: changeId }, signal }),
    retry: retryOnce,
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? UNDER_WAY_MS : false),
  })
}
