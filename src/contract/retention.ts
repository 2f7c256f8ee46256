/**
 * How long is kept what has an end, in days. Read by what removes it and by the page that tells of it, so that the page is
 * true.
 */
export const KEPT_DAYS = {
  /** A session after its last use. */
  session: 30,
  /** A time that was held and not paid for. */
  endedHold: 30,
  /** That a payment provider told something: its name for the event, nothing of a person. */
  paymentEvent: 30,
  idempotencyKey: 1,
  /** Counters of attempts, by client address. */
  attempts: 1,
} as const
