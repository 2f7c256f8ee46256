import type { OAuthSettings } from '#server/integrations/oauth/oauth-settings.ts'
import type { Clock } from '#server/platform/clock.ts'

export type MicrosoftSettings = {
  /** The installation's app registration in the Microsoft Entra admin center. */
  readonly clientId: string
  readonly clientSecret: string
  /** Base URL of a stand-in, without a path. If absent, Microsoft itself is used. */
  readonly sandboxUrl?: string
  /** Maximum wait for one response, in milliseconds. */
  readonly timeoutMs?: number
  readonly now: Clock
}

/** Maximum wait for one response. Microsoft needs several seconds for a page of events with their texts. */
const TIMEOUT_MS = 15_000

export const getTimeoutMs = ({ timeoutMs }: Pick<MicrosoftSettings, 'timeoutMs'>): number =>
  timeoutMs ?? TIMEOUT_MS

/** Returns the base URL of Microsoft Graph or its stand-in. */
export const getGraphUrl = ({ sandboxUrl }: Pick<MicrosoftSettings, 'sandboxUrl'>): string =>
  `${sandboxUrl ?? 'https://graph.microsoft.com'}/v1.0`

/**
 * `common` accepts accounts of organisations and personal accounts. There is no revocation URL: Microsoft offers apps
 * no way to revoke access. Source: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
 */
export function toOAuthSettings(settings: MicrosoftSettings): OAuthSettings {
  const { clientId, clientSecret, sandboxUrl, now } = settings
  const authority = `${sandboxUrl ?? 'https://login.microsoftonline.com'}/common`
  return {
    provider: 'Microsoft',
    issuer: `${authority}/v2.0`,
    authorizationUrl: `${authority}/oauth2/v2.0/authorize`,
    tokenUrl: `${authority}/oauth2/v2.0/token`,
    revocationUrl: null,
    clientId,
    clientSecret,
    timeoutMs: getTimeoutMs(settings),
    now,
  }
}
