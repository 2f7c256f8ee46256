/**
 * One date of the calendar's zone (yyyy-MM-dd) and the starts of the slots that may be booked on it, as epoch
 * milliseconds, in order. All slots of a question are equally long, so the starts are enough. Source: rule T8.
 */
export type OpenDay = { readonly date: string; readonly startsMs: readonly number[] }

/** An `OpenDay` whose slots are still being found. */
export type UnfinishedDay = { readonly date: string; readonly startsMs: number[] }
