/** What people call the payment providers. */
export const PROVIDER_NAMES = { stripe: 'Stripe', paypal: 'PayPal' } as const

/** Said beside money of a provider's sandbox. */
export const SANDBOX_NOTE = 'Sandbox: no real money moves'

/**
 * What to say when some or all ways to pay move no real money; null when all of them move real money. Source: rule P19.
 */
export function describeSandboxes(
  ways: readonly { readonly name: string; readonly isSandbox: boolean | undefined }[],
): string | null {
  const sandboxes = ways.filter(({ isSandbox }) => isSandbox)
  if (sandboxes.length === 0) return null
  if (sandboxes.length === ways.length) return SANDBOX_NOTE
  return `${sandboxes.map(({ name }) => name).join(', ')}: sandbox, no real money moves`
}
