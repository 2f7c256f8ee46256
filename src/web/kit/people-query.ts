import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { OWNER_QUERY_KEY } from './owner-key.ts'

/** Loads the people who take appointments, the owner first, with their calendars. Source: rule T38. */
export const peopleQuery = queryOptions({
  queryKey: [OWNER_QUERY_KEY, 'people'],
  queryFn: ({ signal }) => callApi(at.listPeople, { signal }),
})
