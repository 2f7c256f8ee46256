/** Language of Meridian, as pages and emails declare it (BCP 47). */
export const LANGUAGE = 'en'

/** Locale for dates, times, amounts and counts on screens and in emails. Source: rule W11. */
export const LOCALE = 'en-US'

/** Locale for `Intl` output that code parses. It stays the same when `LOCALE` changes. */
export const MACHINE_LOCALE = 'en-US'
