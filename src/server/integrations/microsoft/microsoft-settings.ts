import type { OAuthSettings } from '#server/integrations/oauth/oauth-settings.ts'
import type { Clock } from '#server/platform/clock.ts'

export type MicrosoftSettings = {
  /** Of the app registration of this installation, in the Microsoft Entra admin center. */
  readonly clientId: string
  readonly clientSecret: string
  /** Where a stand-in listens, without a path. Absent: Microsoft itself. */
  readonly sandboxUrl?: string
  /** The longest wait for one answer. */
  readonly timeoutMs?: number
  readonly now: Clock
}

/** A page of events with their texts takes Microsoft seconds. */
const TIMEOUT_MS = 15_000

export const timeoutOf = ({ timeoutMs }: Pick<MicrosoftSettings, 'timeoutMs'>): number =>
  timeoutMs ?? TIMEOUT_MS

/** Where Microsoft Graph is. */
export const graphUrlOf = ({ sandboxUrl }: Pick<MicrosoftSettings, 'sandboxUrl'>): string =>
  `${sandboxUrl ?? 'https://graph.microsoft.com'}/v1.0`

/**
 * With `common`, accounts of organisations and personal accounts can log in. There is no revocation address: Microsoft has no way
 * for an app to give an access back. Source: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
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
    timeoutMs: timeoutOf(settings),
    now,
  }
}
