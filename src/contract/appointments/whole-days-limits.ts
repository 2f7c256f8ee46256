/** Limits of one bulk change: appointments on all its calendars, days, characters in the message, calendars. Source: rule A21. */
export const BULK_CHANGE_LIMITS = { appointments: 500, days: 31, message: 2_000, calendars: 100 } as const

/** The effect of a bulk change on its appointments. `offer`: offers their customers other times. */
export const BULK_CHANGE_KINDS = ['cancel', 'offer'] as const
export type BulkChangeKind = (typeof BULK_CHANGE_KINDS)[number]
