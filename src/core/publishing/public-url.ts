/** How a calendar is reached (rule C6). */
export type DomainSettings = {
  readonly type: 'path' | 'subdomain' | 'custom'
  readonly path: string | null
  readonly subdomain: string | null
  readonly customDomain: string | null
}

/**
 * Where customers book: the stored address; else what the domain settings say; else `{origin}/book/{slug}`. `origin` is
 * the product's own, without a trailing slash. Source: rule C6.
 */
export function publicUrlOf(
  calendar: { readonly slug: string; readonly publicUrl: string | null; readonly domain: DomainSettings },
  origin: string,
): string {
  if (calendar.publicUrl !== null && calendar.publicUrl !== '') return calendar.publicUrl
  const { domain } = calendar
  const [scheme, host] = origin.split('://', 2)
  if (domain.type === 'subdomain' && domain.subdomain) return `${scheme}://${domain.subdomain}.${host}`
  if (domain.type === 'custom' && domain.customDomain) return `${scheme}://${domain.customDomain}`
  return `${origin}/book/${domain.path || calendar.slug}`
}
