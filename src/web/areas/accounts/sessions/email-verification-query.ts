import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { SEND_ONCE } from '#web/kit/send-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Redeems the link of the confirmation mail. */
export function emailVerificationQuery(token: string) {
  return queryOptions({
    queryKey: ['email-verification', token],
    queryFn: () => callApi(at.confirmEmailAddress, { body: { token } }),
    enabled: token !== '',
    ...SEND_ONCE,
  })
}
