import type { SandboxFaults } from './account.ts'

/** A refusal as Google sends it. Source: https://developers.google.com/workspace/calendar/api/guides/errors */
export class GoogleFault extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  constructor(
    status: number,
    { reason, message, domain = 'global' }: { reason: string; message: string; domain?: string },
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.name = 'GoogleFault'
    this.status = status
    this.headers = headers
    this.body = { error: { errors: [{ domain, reason, message }], code: status, message } }
  }
}

export const notFound = () => new GoogleFault(404, { reason: 'notFound', message: 'Not Found' })
export const deleted = () => new GoogleFault(410, { reason: 'deleted', message: 'Resource has been deleted' })
export const invalid = (message: string) => new GoogleFault(400, { reason: 'invalid', message })
export const badToken = () => new GoogleFault(401, { reason: 'authError', message: 'Invalid Credentials' })
export const missingScope = () =>
  new GoogleFault(403, {
    reason: 'insufficientPermissions',
    message: 'Request had insufficient authentication scopes.',
  })
export const readOnly = () =>
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

const RETRY_AFTER_SECONDS = 30

/** @throws GoogleFault that the page of the account has switched on */
export function failAsSwitched({ isRevoked, isFailing, rateLimit }: SandboxFaults): void {
  if (isFailing) throw new GoogleFault(500, { reason: 'backendError', message: 'Backend Error' })
  if (isRevoked) throw badToken()
  if (rateLimit === 'off') return
  throw new GoogleFault(
    rateLimit === '403' ? 403 : 429,
    { domain: 'usageLimits', reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded' },
    rateLimit === '429_with_retry_after' ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {},
  )
}
