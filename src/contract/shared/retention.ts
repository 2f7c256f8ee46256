/**
 * Retention of each kind of record, in days. The hourly housekeeping job and the information pages both use this table, so that
 * the pages are always correct. Source: rule D6.
 */
export const RETENTION_DAYS = {
  /** A session, after its last use. */
  session: 30,
  /** A trusted device, after its last login. Source: rule U21. */
  trustedDevice: 30,
  /** A known device, after the last login on it. */
  knownDevice: 365,
  /** An unconfirmed registration. Source: rule U2. */
  registration: 7,
  /** An invitation, from the day it was sent; it is deleted earlier when an account is made with it. Source: rule U36. */
  invitation: 14,
  /** An expired hold. Source: rule D8. */
  endedHold: 30,
  /** A webhook event from a payment provider: only its id, no personal data. */
  paymentEvent: 30,
  /** A webhook event from the billing provider: its id and the customer's id. */
  billingEvent: 60,
  /** Our copy of an event of an external calendar, after its end. */
  externalEvent: 30,
  /** A change of a calendar's settings, with the account of the person who made it. Source: rule C21. */
  settingChange: 400,
  idempotencyKey: 1,
  /** A booking that was refused because of the time: the time, the type and the reasons. Source: rule T75. */
  refusal: 30,
  /** A waiting-list request, after it has ended. Source: rule Z10. */
  waitingRequest: 30,
  /** An unconfirmed waiting-list request. */
  unconfirmedRequest: 2,
  /** Counters of attempts, stored under a hash of the client's IP address. */
  attempts: 1,
  /** Whether the owner of an email address wants our emails, stored under a keyed hash of the address. */
  emailRecipient: 365,
  /** A finished job, with its data, that sent a message about an appointment or a payment, or called a provider. */
  endedJob: 7,
} as const

/** Retention in hours, for data that contains a secret or that nobody needs to inspect. */
export const RETENTION_HOURS = {
  /** A sent email about an account. Kept only briefly, because its links give access to the account. */
  accountMail: 1,
  /** A message to the operator, after it was delivered or failed permanently. */
  contactMessage: 1,
  /** The credentials of a disconnected account, after access was revoked or the revocation failed permanently. */
  calendarAccess: 1,
  /** Keyed hashes of the customer who held a time, for as long as the expired hold counts towards the limits. */
  holder: 1,
} as const

/** Retention in minutes. */
export const RETENTION_MINUTES = {
  /** A login with a correct password that is waiting for its second factor. */
  secondFactor: 10,
  /** A customer's session, which starts when they confirm their email address on their page. Source: rule R8. */
  customerSession: 30,
} as const
