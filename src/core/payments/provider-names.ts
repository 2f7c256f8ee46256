/** Display names of the payment providers. */
export const PROVIDER_NAMES = { stripe: 'Stripe', paypal: 'PayPal' } as const

/** Label shown next to sandbox payments. */
export const SANDBOX_LABEL = 'Sandbox: no real money moves'

/** Returns a notice when some or all payment methods use a sandbox; null when all move real money. Source: rule P19. */
export function describeSandboxes(
  ways: readonly { readonly name: string; readonly isSandbox: boolean | undefined }[],
): string | null {
  const sandboxes = ways.filter(({ isSandbox }) => isSandbox)
  if (sandboxes.length === 0) return null
  if (sandboxes.length === ways.length) return SANDBOX_LABEL
  return `${sandboxes.map(({ name }) => name).join(', ')}: sandbox, no real money moves`
}
