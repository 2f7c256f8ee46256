import type { ProviderApp } from '#server/ports/payment-provider.ts'

/** Hosts of PayPal's API and of its pages. */
export type PaypalHosts = { readonly api: string; readonly pages: string }

const HOSTS: Readonly<Record<ProviderApp['mode'], PaypalHosts>> = {
  live: { api: 'https://api-m.paypal.com', pages: 'https://www.paypal.com' },
  sandbox: { api: 'https://api-m.sandbox.paypal.com', pages: 'https://www.sandbox.paypal.com' },
}

/** A stand-in replaces both modes. Source: https://developer.paypal.com/api/rest/#link-api-endpoints */
export function hostsOf(sandboxUrl: string | undefined, mode: ProviderApp['mode']): PaypalHosts {
  return sandboxUrl === undefined ? HOSTS[mode] : { api: sandboxUrl, pages: sandboxUrl }
}
