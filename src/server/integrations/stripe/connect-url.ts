import type { ConnectRequest } from '#server/ports/payment-provider.ts'

/**
 * Builds the URL at which an owner lets us act for their account. Not built by the library, whose URL is always https
 * and has no port. Source: https://docs.stripe.com/connect/oauth-reference
 */
export function buildConnectUrl(
  settings: { readonly clientId: string; readonly sandboxUrl?: string },
  request: ConnectRequest,
): string {
  const url = new URL('/oauth/authorize', settings.sandboxUrl ?? 'https://connect.stripe.com')
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: settings.clientId,
    scope: 'read_write',
    redirect_uri: request.redirectUri,
    state: request.state,
  }).toString()
  return url.toString()
}
