/** What the product speaks, as a page or a mail declares it (BCP 47). */
export const LANGUAGE = 'en'

/** How dates, clocks, amounts and counts are written, on screens and in mails alike. Source: rule W11. */
export const LOCALE = 'en-US'

/** The locale for `Intl` where code, not a person, reads the answer. It stays the same when `LOCALE` changes. */
export const MACHINE_LOCALE = 'en-US'
