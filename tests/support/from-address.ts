import { PRODUCTION_SETTINGS } from './meridian.ts'

/** Headers that make a request come from an address, for a server started with `BEHIND_PROXY_SETTINGS`. */
export function headersFromAddress(address: string): Record<string, string> {
  return { 'x-forwarded-for': address }
}

/** Settings of a server that trusts one proxy in front of it, with the default rate limits. Only production trusts proxies. */
export const BEHIND_PROXY_SETTINGS = { ...PRODUCTION_SETTINGS, TRUST_PROXY: '1', BUDGETS: '' } as const
