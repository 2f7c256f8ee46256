import type { OAuthSettings } from '#server/integrations/oauth/oauth-settings.ts'
import type { Clock } from '#server/platform/clock.ts'

export type GoogleSettings = {
  /** The installation's OAuth client in the Google Cloud console. */
  readonly clientId: string
  readonly clientSecret: string
  /** Base URL of a stand-in, without a path. If absent, Google itself is used. */
  readonly sandboxUrl?: string
  /** Maximum wait for one response, in milliseconds. */
  readonly timeoutMs?: number
  readonly now: Clock
}

/** Maximum wait for one response. Google needs several seconds for a page of a thousand events. */
const TIMEOUT_MS = 15_000

export const getTimeoutMs = ({ timeoutMs }: GoogleSettings): number => timeoutMs ?? TIMEOUT_MS

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
    timeoutMs: getTimeoutMs(settings),
    now,
  }
}
