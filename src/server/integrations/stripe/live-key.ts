/** True for a live key (`sk_live_…` or `rk_live_…`), which moves real money. */
export function isLiveKey(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey)
}
