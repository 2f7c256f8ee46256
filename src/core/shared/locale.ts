/** What the product speaks, as a page or a mail declares it (BCP 47). */
export const LANGUAGE = 'en'

/** How dates, clocks, amounts and counts are written, on screens and in mails alike. Source: rule W11. */
export const LOCALE = 'en-US'

/** What `Intl` is asked in where code reads the answer: it stays as it is whatever people read. */
export const MACHINE_LOCALE = 'en-US'
