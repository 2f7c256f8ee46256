import { LOCALE } from '#core/shared/locale.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns a cached formatter. Creating a formatter takes about 50 µs, and formatting the times of a month needs the same one many
 * times.
 */
export function getDateTimeFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, known)
  return known
}

/** Formats an instant. */
export function formatInstant(at: Date | number, options: Intl.DateTimeFormatOptions): string {
  // Browsers put a narrow no-break space (U+202F) before AM and PM.
  return getDateTimeFormat(LOCALE, options).format(at).replace(/\s/g, ' ')
}
