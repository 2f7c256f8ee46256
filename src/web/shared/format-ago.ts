import { LOCALE } from '#core/shared/locale.ts'

const words = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always' })

/** The units from largest to smallest, with their length in minutes. */
const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const

/** Formats an instant relative to `now`: `2 minutes ago`, `in 3 hours`, `just now`. */
export function formatRelativeTime(instantIso: string, now: string): string {
  const minutes = Math.round((Date.parse(instantIso) - Date.parse(now)) / 60_000)
  if (minutes === 0) return 'just now'
  const [unit, length] = UNITS.find(([, unitMinutes]) => Math.abs(minutes) >= unitMinutes) ?? UNITS[2]
  return words.format(Math.trunc(minutes / length), unit)
}
