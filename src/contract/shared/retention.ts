/**
 * How long each kind of record is kept, in days. Both the code that removes records and the pages that describe it read
 * this table, so the pages are true. Housekeeping runs once an hour. Source: rule D6.
 */
export const KEPT_DAYS = {
  /** A session, after its last use. */
  session: 30,
  /** A trusted device, after its last login. Source: rule U21. */
  trustedDevice: 30,
  /** A known device, after the last login on it. */
  knownDevice: 365,
  /** A registration that nobody confirmed. Source: rule U2. */
  registration: 7,
  /** An ended hold. Source: rule D8. */
  endedHold: 30,
  /** An event of a payment provider: the provider's name of it, and nothing about a person. */
  paymentEvent: 30,
  /** An event of the provider of the plans: its name, and the customer that it is about. */
  billingEvent: 60,
  /** Our copy of an event of an external calendar, after its end. */
  externalEvent: 30,
  idempotencyKey: 1,
  /** A request for a place on a waiting list, after it has ended. Source: rule Z10. */
  waitingRequest: 30,
  /** The same, which nobody confirmed. */
  unconfirmedRequest: 2,
  /** Counters of attempts, by a hash of the client's address. */
  attempts: 1,
  /** What the reader of an address said about emails to it, under a keyed hash of the address. */
  emailRecipient: 365,
  /**
   * A finished job that told somebody about an appointment or a payment, or asked a provider, with what it was to say.
   */
  endedJob: 7,
} as const

/** How long in hours, for jobs that nobody has to look at or that carry a secret. */
export const KEPT_HOURS = {
  /** A sent email about an account: the links in it open the account. */
  accountMail: 1,
  /** A message to the operator, after it was delivered or given up. */
  contactMessage: 1,
  /** The credentials of an account that was disconnected, after its access was withdrawn or that was given up. */
  calendarAccess: 1,
  /** Who held a time, as keyed hashes: as long as the ended hold counts for another hold. */
  holder: 1,
} as const

/** How long in minutes. */
export const KEPT_MINUTES = {
  /** A login with the right password that waits for its code. */
  secondFactor: 10,
  /** That somebody has confirmed a customer's email address, on the customer's page. Source: rule R8. */
  customerSession: 30,
} as const
