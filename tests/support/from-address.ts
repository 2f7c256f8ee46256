import { IN_PRODUCTION } from './meridian.ts'

/** Headers of a request from an address, for a product that is started with `BEHIND_PROXY`. */
export function from(address: string): Record<string, string> {
  return { 'x-forwarded-for': address }
}

/** Settings of a product that believes the one proxy in front of it, with the budgets that it has by itself. Only production does. */
export const BEHIND_PROXY = { ...IN_PRODUCTION, TRUST_PROXY: '1', BUDGETS: '' } as const
