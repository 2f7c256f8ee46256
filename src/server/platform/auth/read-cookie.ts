/** Returns the value of a cookie in a Cookie header; empty when it has no such cookie. */
export function readCookie(header: string | undefined, name: string): string {
  const pairs = header?.split(/; */).map((pair) => pair.split('=', 2)) ?? []
  return pairs.find(([key]) => key === name)?.[1] ?? ''
}
