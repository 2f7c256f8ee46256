/** The absolute URL of one of our API operations, for a provider to call. */
export function toOwnUrl(
  { baseUrl }: { readonly baseUrl: string },
  address: `${string} /api/${string}`,
  params: Readonly<Record<string, string>> = {},
): string {
  const [, path = ''] = address.split(' ')
  const filled = Object.entries(params).reduce((part, [name, value]) => part.replace(`:${name}`, value), path)
  return `${baseUrl}${filled}`
}
