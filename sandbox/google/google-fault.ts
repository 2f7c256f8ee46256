import type { SandboxFaults } from '#sandbox/calendars/account.ts'
import { type ProviderFaults, RETRY_AFTER_SECONDS, SandboxFault } from '#sandbox/calendars/sandbox-fault.ts'

/** An error response as Google sends it. Source: https://developers.google.com/workspace/calendar/api/guides/errors */
export class GoogleFault extends SandboxFault {
  constructor(
    status: number,
    { reason, message, domain = 'global' }: { reason: string; message: string; domain?: string },
    headers: Readonly<Record<string, string>> = {},
  ) {
    const body = { error: { errors: [{ domain, reason, message }], code: status, message } }
    super(message, { status, body, headers })
  }
}

export const notFound = () => new GoogleFault(404, { reason: 'notFound', message: 'Not Found' })
export const deleted = () => new GoogleFault(410, { reason: 'deleted', message: 'Resource has been deleted' })
export const invalid = (message: string) => new GoogleFault(400, { reason: 'invalid', message })
const badToken = () => new GoogleFault(401, { reason: 'authError', message: 'Invalid Credentials' })
export const missingScope = () =>
  new GoogleFault(403, {
    reason: 'insufficientPermissions',
    message: 'Request had insufficient authentication scopes.',
  })
const readOnly = () =>
  new GoogleFault(403, {
    domain: 'calendar',
    reason: 'requiredAccessLevel',
    message: 'You need to have writer access to this calendar.',
  })
export const cursorLost = () =>
  new GoogleFault(410, {
    domain: 'calendar',
    reason: 'fullSyncRequired',
    message: 'Sync token is no longer valid, a full sync is required.',
  })

/** @throws GoogleFault when a failure is switched on for the account */
function failIfSwitchedOn({ isRevoked, isFailing, rateLimit }: SandboxFaults): void {
  if (isFailing) throw new GoogleFault(500, { reason: 'backendError', message: 'Backend Error' })
  if (isRevoked) throw badToken()
  if (rateLimit === 'off') return
  throw new GoogleFault(
    rateLimit === '403' ? 403 : 429,
    { domain: 'usageLimits', reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded' },
    rateLimit === '429_with_retry_after' ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {},
  )
}

export const GOOGLE_FAULTS: ProviderFaults = { notFound, readOnly, badToken, invalid, failIfSwitchedOn }
