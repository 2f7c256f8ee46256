/**
 * The address of a host name of a calendar: with the scheme and the port of the installation, without a slash at the end. `origin`
 * is the installation's own. Source: rule I1.
 */
export function toHostAddress(host: string, origin: string): string {
  const [scheme, ownHost = ''] = origin.split('://', 2)
  const port = /:\d+$/.exec(ownHost)?.[0] ?? ''
  return `${scheme}://${host}${port}`
}

/** The path address of a calendar: its own path, else its slug. Source: rule I1. */
export function toPathAddress(
  { path, slug }: { readonly path: string | null; readonly slug: string },
  origin: string,
): string {
  return `${origin}/book/${path ?? slug}`
}
