import { SECOND_MS } from '#core/shared/duration.ts'

/**
 * Parses Retry-After into milliseconds from now; the header contains seconds or a date. Null when absent or unreadable.
 * Source: RFC 9110 §10.2.3.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}
