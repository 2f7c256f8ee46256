import type { OAuthSettings } from './oauth-settings.ts'

/** An authorization code that no provider has issued. */
const NO_CODE = 'meridian-doctor'

/**
 * Checks whether a provider accepts an app's keys by redeeming an invalid code: a provider reports the invalid code
 * only to an app that it knows. Source: RFC 6749 §5.2.
 * @throws Error with the provider's reason when it rejects the app
 */
export async function checkAppKeys({
  tokenUrl,
  clientId,
  clientSecret,
  provider,
  timeoutMs,
}: Pick<OAuthSettings, 'tokenUrl' | 'clientId' | 'clientSecret' | 'provider' | 'timeoutMs'>): Promise<void> {
  const response = await fetch(tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: NO_CODE,
      redirect_uri: 'https://localhost/',
      client_id: clientId,
      client_secret: clientSecret,
    }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { error, error_description: text } = toAnswer(await response.json().catch(() => null))
  if (error === 'invalid_grant' || error === 'redirect_uri_mismatch') return
  throw new Error(`${provider} answers ${text ?? error ?? response.status}`)
}

function toAnswer(body: unknown): { readonly error?: string; readonly error_description?: string } {
  if (typeof body !== 'object' || body === null) return {}
  const texts = Object.entries(body).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value).slice(0, 200)]))
}
