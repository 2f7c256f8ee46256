import type { Clock } from '#server/platform/clock.ts'

/** An authorization server, and what this installation is to it. */
export type OAuthSettings = {
  /** As people call it, for sentences: Google. */
  readonly provider: string
  readonly issuer: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  /** Where tokens are withdrawn (RFC 7009); null where the provider has no such address. */
  readonly revocationUrl: string | null
  readonly clientId: string
  readonly clientSecret: string
  readonly timeoutMs: number
  readonly now: Clock
}
