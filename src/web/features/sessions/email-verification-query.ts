import { queryOptions } from '@tanstack/react-query'
import { SEND_ONCE } from '#web/kit/send-once.ts'
import { sendJson } from '#web/shared/api-client.ts'

/** Redeems the link of the confirmation mail. */
export function emailVerificationQuery(token: string) {
  return queryOptions({
    queryKey: ['email-verification', token],
    queryFn: () => sendJson<{ ok: true }>('POST', '/api/auth/email-verification', { token }),
    enabled: token !== '',
    ...SEND_ONCE,
  })
}
