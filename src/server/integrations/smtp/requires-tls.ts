const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * True when the connection must be encrypted before anything is sent. Otherwise an attacker who removes STARTTLS from
 * the greeting could read the password. An operator can opt out in the URL (`?requireTLS=false` or `?ignoreTLS=true`).
 */
export function requiresTls(smtpUrl: string): boolean {
  const url = new URL(smtpUrl)
  if (url.searchParams.has('requireTLS')) return url.searchParams.get('requireTLS') === 'true'
  if (url.searchParams.get('ignoreTLS') === 'true') return false
  return url.protocol === 'smtp:' && url.username !== '' && !LOOPBACK_HOSTS.has(url.hostname)
}
