import { LOCALE } from '#core/shared/locale.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Building a formatter costs about 50 µs; a month of times needs the same one again and again. */
export function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, known)
  return known
}

/** What `options` ask for of an instant, in words for people. */
export function formatInstant(at: Date | number, options: Intl.DateTimeFormatOptions): string {
  // Browsers put a narrow no-break space (U+202F) before AM and PM.
  return formatterOf(LOCALE, options).format(at).replace(/\s/g, ' ')
}
