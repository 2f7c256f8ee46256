/** Whether a key moves real money: `sk_live_…` or `rk_live_…`, and not one of Stripe's test mode. */
export function isLiveKey(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey)
}
