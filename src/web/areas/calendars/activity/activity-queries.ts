import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import type { SettingKind } from '#core/calendars/setting-kinds.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { callApi } from '#web/shared/call-api.ts'

/** What a page of a list begins before; undefined on the first page. */
export type Cursor = string | undefined

/** Something is added at any time, and the last page stays while the next one loads. */
const PAGE_OF_LIST = { staleTime: 0, placeholderData: keepPreviousData } as const

/** A page of the bookings that were refused because of the time, newest first. */
export function refusalsQuery(calendarId: string, before: Cursor) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'refusals', calendarId, before],
    queryFn: ({ signal }) =>
      callApi(at.listRefusals, { params: { id: calendarId }, query: toQuery(before), signal }),
    ...PAGE_OF_LIST,
  })
}

/** A page of the changes of a calendar's settings, newest first: all, or those of one tab. */
export function settingChangesQuery(calendarId: string, kind: SettingKind | undefined, before: Cursor) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'setting-changes', calendarId, kind, before],
    queryFn: ({ signal }) =>
      callApi(at.listSettingChanges, {
        params: { id: calendarId },
        query: kind === undefined ? toQuery(before) : { ...toQuery(before), kind },
        signal,
      }),
    ...PAGE_OF_LIST,
  })
}

function toQuery(before: Cursor) {
  return before === undefined ? {} : { before }
}
