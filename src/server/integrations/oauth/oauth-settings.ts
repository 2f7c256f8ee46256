import type { Clock } from '#server/platform/clock.ts'

/** An authorization server, and this installation's registration with it. */
export type OAuthSettings = {
  /** Display name for messages, such as "Google". */
  readonly provider: string
  readonly issuer: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  /** URL of the revocation endpoint (RFC 7009); null when the provider has none. */
  readonly revocationUrl: string | null
  readonly clientId: string
  readonly clientSecret: string
  readonly timeoutMs: number
  readonly now: Clock
}

/** Returns whether a stand-in of a calendar provider is used, and the URL of its calendar page. */
export function findSandboxPage({
  sandboxUrl,
}: {
  /** Base URL of the stand-in, without a path. If absent, the provider itself is used. */
  readonly sandboxUrl?: string
}): { readonly isSandbox: boolean; readonly sandboxPage?: string } {
  return sandboxUrl === undefined
    ? { isSandbox: false }
    : { isSandbox: true, sandboxPage: `${sandboxUrl}/calendar` }
}
