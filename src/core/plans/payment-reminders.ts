import { DAY_MS } from '#core/shared/duration.ts'

/** Days after the first failed payment on which we email the owner. Source: rule S14. */
export const PAYMENT_REMINDER_DAYS = [0, 3, 7] as const

/** Lists the days whose reminder is due. If several are due, only the last one is sent, because they say the same. */
export function listDueReminders(pastDueSinceMs: number, nowMs: number): number[] {
  return PAYMENT_REMINDER_DAYS.filter((days) => pastDueSinceMs + days * DAY_MS <= nowMs)
}

/**
 * Numbers of days before a card expires at which we email the owner. A card expires at the end of its last month. Source: rule
 * S15.
 */
const CARD_NOTICE_DAYS = 31

/** True when a card expires within a month. It is valid until the end of its last month. */
export function isExpiringSoon(
  { expiryMonth, expiryYear }: { readonly expiryMonth: number; readonly expiryYear: number },
  nowMs: number,
): boolean {
  const endsAtMs = Date.UTC(expiryYear, expiryMonth, 1)
  return endsAtMs - CARD_NOTICE_DAYS * DAY_MS <= nowMs
}
