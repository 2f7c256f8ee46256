/**
 * How long is kept what has an end, in days. Read by what removes it and by the pages that tell of it, so that they are
 * true. What has an end is looked for once an hour. Source: rule D6.
 */
export const KEPT_DAYS = {
  /** A session after its last use. */
  session: 30,
  /** That a browser is trusted, after its last login. Source: rule U21. */
  trustedDevice: 30,
  /** That an account was logged in to on a device, after the last login there. */
  knownDevice: 365,
  /** A registration that nobody confirmed. Source: rule U2. */
  registration: 7,
  /** A time that was held and not paid for. Source: rule D8. */
  endedHold: 30,
  /** That a payment provider told something: its name for the event, nothing of a person. */
  paymentEvent: 30,
  idempotencyKey: 1,
  /** Counters of attempts, by a hash of the client's address. */
  attempts: 1,
  /** What the reader of an address said about emails to it: a keyed hash of the address. */
  emailRecipient: 365,
  /** A job that told somebody about an appointment or a payment, or asked a provider, after its end: what it was to say. */
  endedJob: 7,
} as const

/** The same in hours, for jobs that nobody has to look into or that carry a secret. */
export const KEPT_HOURS = {
  /** An email about an account after its end: the links in it open the account. */
  accountMail: 1,
  /** What somebody wrote to the operator, after it went there or was given up. */
  contactMessage: 1,
  /** Who held a time, by keyed hashes, after the hold has ended: as long as it counts for another hold. */
  holder: 1,
} as const

/** The same in minutes. */
export const KEPT_MINUTES = {
  /** Who gave the right password and not yet the code. */
  secondFactor: 10,
} as const
