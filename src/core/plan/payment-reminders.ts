import { DAY_MS } from '#core/shared/duration.ts'

/** The days after the first failure on which an owner is told that a payment failed. Source: rule S14. */
export const PAYMENT_REMINDER_DAYS = [0, 3, 7] as const

/** The days whose email is due. Of several only the last is sent, because they say the same. */
export function listDueReminders(pastDueSinceMs: number, nowMs: number): number[] {
  return PAYMENT_REMINDER_DAYS.filter((days) => pastDueSinceMs + days * DAY_MS <= nowMs)
}

/** How long before the end of its last month an owner is told that a card expires, in days. Source: rule S15. */
const CARD_NOTICE_DAYS = 31

/** Whether a card is good for at most a month more. It is good until the end of its month. */
export function isExpiringSoon(
  { expiryMonth, expiryYear }: { readonly expiryMonth: number; readonly expiryYear: number },
  nowMs: number,
): boolean {
  const endsAtMs = Date.UTC(expiryYear, expiryMonth, 1)
  return endsAtMs - CARD_NOTICE_DAYS * DAY_MS <= nowMs
}
