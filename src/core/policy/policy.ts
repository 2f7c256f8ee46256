/** How customers may move an appointment by themselves. Source: rule Q3. */
export type MovingTerms =
  | { readonly kind: 'never' }
  /** Until `hours` before the start; `times` is how often at most, null for any number. */
  | { readonly kind: 'until'; readonly hours: number; readonly times: number | null }

/** How customers may cancel. Source: rule Q4. */
export type CancellingTerms =
  | { readonly kind: 'by_request' }
  /** By themselves until `hours` before the start. `after` says what is possible from then on. */
  | { readonly kind: 'alone'; readonly hours: number; readonly after: 'by_request' | 'never' }

/** Until `hours` before the start, `percent` of what was paid goes back. Source: rule Q5. */
export type RefundRow = { readonly hours: number; readonly percent: number }

/**
 * What customers may change about an appointment, and what goes back to them. Screens, the database and the core use this one
 * shape. Source: rule Q1.
 */
export type Policy = {
  readonly moving: MovingTerms
  readonly cancelling: CancellingTerms
  /** In falling order. Without rows nothing is promised, and the owner decides each time. */
  readonly refunds: readonly RefundRow[]
}

export const POLICY_LIMITS = {
  /** A year of 365 days. */
  hours: 8_760,
  moves: 10,
  refundRows: 5,
} as const

/**
 * The policy of a calendar whose owner chose none. Cancelling stays as it was before there were policies. Moving is allowed,
 * because a customer who can move seldom cancels, and a day before is early enough to give the time to somebody else.
 * Source: rule Q1.
 */
export const DEFAULT_POLICY: Policy = {
  moving: { kind: 'until', hours: 24, times: null },
  cancelling: { kind: 'by_request' },
  refunds: [],
}

/** The policy of an appointment that was booked before there were policies: its customer was promised nothing. Source: rule Q7. */
export const LEGACY_POLICY: Policy = {
  moving: { kind: 'never' },
  cancelling: { kind: 'by_request' },
  refunds: [],
}

/**
 * Whether the rows of a refund table fall: each has fewer hours and a smaller share than the one before. In another order a row
 * would promise what a later one takes away. Source: rule Q5.
 */
export function isDescending(rows: readonly RefundRow[]): boolean {
  return rows.every((row, at) => {
    const before = rows[at - 1]
    return before === undefined || (row.hours < before.hours && row.percent < before.percent)
  })
}
