import type { Clock } from '#server/platform/clock.ts'

/** An authorization server, and this installation's registration with it. */
export type OAuthSettings = {
  /** Display name for messages, such as Google. */
  readonly provider: string
  readonly issuer: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  /** Revocation endpoint (RFC 7009); null when the provider has none. */
  readonly revocationUrl: string | null
  readonly clientId: string
  readonly clientSecret: string
  readonly timeoutMs: number
  readonly now: Clock
}
