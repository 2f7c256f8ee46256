/**
 * A date in the calendar's zone (yyyy-MM-dd) and the starts of its bookable slots, in order, as epoch milliseconds. All
 * slots of a query have the same length. Source: rule T8.
 */
export type OpenDay = { readonly date: string; readonly startsMs: readonly number[] }

/** An `OpenDay` while the engine is still adding slots. */
export type MutableOpenDay = { readonly date: string; readonly startsMs: number[] }
