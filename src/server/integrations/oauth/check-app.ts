import type { OAuthSettings } from './oauth-settings.ts'

/** No provider has given out this code. */
const NO_CODE = 'meridian-doctor'

/**
 * Asks a provider whether it knows an app, by redeeming a code that does not exist: an app that it knows is told that about the code.
 * Source: RFC 6749 §5.2. @throws Error with what the provider says about the app
 */
export async function checkApp({
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
