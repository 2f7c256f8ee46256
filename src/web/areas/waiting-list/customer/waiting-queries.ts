import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The request and the offer that a link of an email leads to. */
export function waitingQuery(token: string) {
  return queryOptions({
    queryKey: ['waiting', token],
    queryFn: ({ signal }) => callApi(at.getWaitingView, { params: { token }, signal }),
  })
}
