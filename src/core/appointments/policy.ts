/** Whether customers may move an appointment themselves, and the deadline. Source: rule Q3. */
export type MovingTerms =
  | { readonly kind: 'never' }
  /** Until `hours` before the start; at most `times` moves, or any number when null. */
  | { readonly kind: 'until'; readonly hours: number; readonly times: number | null }

/** How customers may cancel. Source: rule Q4. */
export type CancellingTerms =
  | { readonly kind: 'by_request' }
  /** Without the owner until `hours` before the start. `after` says what is possible after that. */
  | { readonly kind: 'alone'; readonly hours: number; readonly after: 'by_request' | 'never' }

/** Up to `hours` before the start, `percent` of the payment is refunded. Source: rule Q5. */
export type RefundTier = { readonly hours: number; readonly percent: number }

/**
 * How customers may move and cancel an appointment, and what is refunded. Screens, database and core share this shape.
 * Source: rule Q1.
 */
export type Policy = {
  readonly moving: MovingTerms
  readonly cancelling: CancellingTerms
  /** In descending order. Empty: the policy grants no refund, and the owner decides each time. */
  readonly refunds: readonly RefundTier[]
}

export const POLICY_LIMITS = {
  /** One year of 365 days. */
  hours: 8_760,
  moves: 10,
  refundRows: 5,
} as const

/**
 * The default policy of a calendar. Cancelling works as it did before policies existed. Moving is allowed, because
 * customers who can move seldom cancel, and a day's notice is enough to give the time to somebody else. Source: rule
 * Q1.
 */
export const DEFAULT_POLICY: Policy = {
  moving: { kind: 'until', hours: 24, times: null },
  cancelling: { kind: 'by_request' },
  refunds: [],
}

/** The policy of appointments booked before policies existed: the customer was promised nothing. Source: rule Q7. */
export const LEGACY_POLICY: Policy = {
  moving: { kind: 'never' },
  cancelling: { kind: 'by_request' },
  refunds: [],
}

/**
 * True when each row has fewer hours and a smaller percentage than the row before. In any other order, a row would
 * promise a refund that a later row takes away. Source: rule Q5.
 */
export function areRefundTiersDescending(rows: readonly RefundTier[]): boolean {
  return rows.every((row, at) => {
    const before = rows[at - 1]
    return before === undefined || (row.hours < before.hours && row.percent < before.percent)
  })
}
