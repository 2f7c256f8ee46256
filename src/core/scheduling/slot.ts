/** A time that may be booked, as epoch milliseconds: `[startsAtMs, endsAtMs)`. */
export type Slot = { readonly startsAtMs: number; readonly endsAtMs: number }

/** The slots that start on one date of the calendar's zone (yyyy-MM-dd), earliest first. */
export type OpenDay = { readonly date: string; readonly slots: readonly Slot[] }

/** An `OpenDay` whose slots are still being found. */
export type FillingDay = { readonly date: string; readonly slots: Slot[] }
