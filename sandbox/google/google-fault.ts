import type { SandboxFaults } from '#sandbox/calendars/account.ts'
import {
  type ProviderErrors,
  RETRY_AFTER_SECONDS,
  SandboxErrorResponse,
} from '#sandbox/calendars/sandbox-fault.ts'

/** An error response as Google sends it. Source: https://developers.google.com/workspace/calendar/api/guides/errors */
export class GoogleErrorResponse extends SandboxErrorResponse {
  constructor(
    status: number,
    { reason, message, domain = 'global' }: { reason: string; message: string; domain?: string },
    headers: Readonly<Record<string, string>> = {},
  ) {
    const body = { error: { errors: [{ domain, reason, message }], code: status, message } }
    super(message, { status, body, headers })
  }
}

export const notFoundError = () => new GoogleErrorResponse(404, { reason: 'notFound', message: 'Not Found' })
export const deletedError = () =>
  new GoogleErrorResponse(410, { reason: 'deleted', message: 'Resource has been deleted' })
export const invalidRequestError = (message: string) =>
  new GoogleErrorResponse(400, { reason: 'invalid', message })
const badToken = () => new GoogleErrorResponse(401, { reason: 'authError', message: 'Invalid Credentials' })
export const missingScopeError = () =>
  new GoogleErrorResponse(403, {
    reason: 'insufficientPermissions',
    message: 'Request had insufficient authentication scopes.',
  })
const readOnly = () =>
  new GoogleErrorResponse(403, {
    domain: 'calendar',
    reason: 'requiredAccessLevel',
    message: 'You need to have writer access to this calendar.',
  })
export const expiredSyncTokenError = () =>
  new GoogleErrorResponse(410, {
    domain: 'calendar',
    reason: 'fullSyncRequired',
    message: 'Sync token is no longer valid, a full sync is required.',
  })

/** @throws GoogleErrorResponse when a failure is switched on for the account */
function failIfSwitchedOn({ isRevoked, isFailing, rateLimit }: SandboxFaults): void {
  if (isFailing) throw new GoogleErrorResponse(500, { reason: 'backendError', message: 'Backend Error' })
  if (isRevoked) throw badToken()
  if (rateLimit === 'off') return
  throw new GoogleErrorResponse(
    rateLimit === '403' ? 403 : 429,
    { domain: 'usageLimits', reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded' },
    rateLimit === '429_with_retry_after' ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {},
  )
}

export const GOOGLE_ERRORS: ProviderErrors = {
  notFound: notFoundError,
  readOnly,
  badToken,
  invalid: invalidRequestError,
  failIfSwitchedOn,
}
