/** Adds parameters to the URL at which the product gets the provider's answer. */
export function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.toString()
}

/** The body of a refusal. Source: RFC 6749 §5.2 */
export function oauthError(error: string, description: string) {
  return { error, error_description: description }
}
