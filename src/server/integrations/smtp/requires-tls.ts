const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a connection must be encrypted before anything is sent. Otherwise a password would cross the network
 * unencrypted when somebody removes STARTTLS from the greeting. An operator who wants that says so in the URL
 * (`?requireTLS=false` or `?ignoreTLS=true`).
 */
export function requiresTls(smtpUrl: string): boolean {
  const url = new URL(smtpUrl)
  if (url.searchParams.has('requireTLS')) return url.searchParams.get('requireTLS') === 'true'
  if (url.searchParams.get('ignoreTLS') === 'true') return false
  return url.protocol === 'smtp:' && url.username !== '' && !LOOPBACK_HOSTS.has(url.hostname)
}
