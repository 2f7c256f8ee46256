import type { OAuthSettings } from '#server/integrations/oauth/oauth-settings.ts'
import type { Clock } from '#server/platform/clock.ts'

export type GoogleSettings = {
  /** Of the OAuth client of this installation, in the Google Cloud console. */
  readonly clientId: string
  readonly clientSecret: string
  /** Where a stand-in listens, without a path. Absent: Google itself. */
  readonly sandboxUrl?: string
  /** The longest wait for one answer. */
  readonly timeoutMs?: number
  readonly now: Clock
}

/** A page of a thousand events takes Google seconds. */
const TIMEOUT_MS = 15_000

export const timeoutOf = ({ timeoutMs }: GoogleSettings): number => timeoutMs ?? TIMEOUT_MS

/** Source: https://accounts.google.com/.well-known/openid-configuration */
export function toOAuthSettings(settings: GoogleSettings): OAuthSettings {
  const { clientId, clientSecret, sandboxUrl, now } = settings
  const [accounts, oauth] =
    sandboxUrl === undefined
      ? ['https://accounts.google.com', 'https://oauth2.googleapis.com']
      : [sandboxUrl, sandboxUrl]
  return {
    provider: 'Google',
    issuer: accounts,
    authorizationUrl: `${accounts}/o/oauth2/v2/auth`,
    tokenUrl: `${oauth}/token`,
    revocationUrl: `${oauth}/revoke`,
    clientId,
    clientSecret,
    timeoutMs: timeoutOf(settings),
    now,
  }
}
