/**
 * Rate limits ("budgets") for everything that an anonymous visitor can do. Each entry states what is counted, per whom,
 * how many are allowed, and what happens beyond the limit. The operator can override the amounts with the setting `BUDGETS`.
 * Source: rule H14.
 */
export type Budget = {
  /** What is counted, in the words of `docs/operations/budgets.md`. */
  readonly counts: string
  /** Who the count is kept for, such as one client or one email address. */
  readonly per: string
  readonly max: number
  /**
   * Length of the window, which starts with the first use; for holds, the time that just passed. Null when the limit
   * applies to the number open at one moment.
   */
  readonly windowSeconds: number | null
  /** What happens when the limit is exceeded. */
  readonly beyond: string
}

const MINUTE = 60
const QUARTER = 15 * MINUTE
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `docs/operations/budgets.md` has the same lines; a test compares them. */
export const BUDGETS = {
  webhook_checks: {
    counts:
      'messages in the name of PayPal about payments of ours that PayPal was asked about and did not confirm',
    per: 'client and calendar',
    max: 10,
    windowSeconds: HOUR,
    beyond: '429; PayPal sends the message again later',
  },
  webhook_strays: {
    counts: 'messages in the name of PayPal that cannot be its own, or that are about no payment of ours',
    per: 'client and calendar',
    max: 120,
    windowSeconds: HOUR,
    beyond: '429; PayPal sends the message again later',
  },
  login_client: {
    counts: 'passwords tried at the login, on devices that have not logged in to the account before',
    per: 'client',
    max: 10,
    windowSeconds: MINUTE,
    beyond: '429; nothing is counted for the account',
  },
  login_account: {
    counts: 'passwords checked at the login, on devices that have not logged in to the account before',
    per: 'account, until the right one',
    max: 30,
    windowSeconds: MINUTE,
    beyond: '429 on these devices',
  },
  login_device: {
    counts: 'passwords checked at the login, on a device that has logged in to the account before',
    per: 'device and account, until the right one',
    max: 20,
    windowSeconds: QUARTER,
    beyond: '429 on this device',
  },
  login_code_client: {
    counts:
      'codes checked after the right password, on devices that have not logged in to the account before',
    per: 'client',
    max: 30,
    windowSeconds: QUARTER,
    beyond: '429',
  },
  login_code_challenge: {
    counts: 'codes checked after the right password',
    per: 'login',
    max: 5,
    windowSeconds: QUARTER,
    beyond: '401; the password is asked for again',
  },
  login_code_account: {
    counts:
      'codes checked after the right password, on devices that have not logged in to the account before',
    per: 'account, until the right one',
    max: 10,
    windowSeconds: QUARTER,
    beyond: '429 on these devices',
  },
  login_code_device: {
    counts: 'codes checked after the right password, on a device that has logged in to the account before',
    per: 'device and account, until the right one',
    max: 10,
    windowSeconds: QUARTER,
    beyond: '429 on this device',
  },
  proof_password: {
    counts: 'passwords checked again for an owner who is logged in',
    per: 'account, until the right one',
    max: 10,
    windowSeconds: QUARTER,
    beyond: '429',
  },
  proof_code: {
    counts: 'codes checked for an owner who is logged in',
    per: 'account, until the right one',
    max: 10,
    windowSeconds: QUARTER,
    beyond: '429',
  },
  registrations_client: {
    counts: 'registrations',
    per: 'client',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429',
  },
  password_resets_client: {
    counts: 'links asked for to choose a new password',
    per: 'client',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429',
  },
  address_changes: {
    counts: 'other email addresses asked for by an owner',
    per: 'account',
    max: 10,
    windowSeconds: DAY,
    beyond: '429',
  },
  link_checks: {
    counts: 'links of account emails that are opened',
    per: 'client and kind of link',
    max: 10,
    windowSeconds: MINUTE,
    beyond: '429',
  },
  expired_holds: {
    counts: 'holds that ran out unpaid',
    per: 'client, and email address',
    max: 3,
    windowSeconds: HOUR,
    beyond: '429 for another hold until the first of them is an hour ago',
  },
  holds_client: {
    counts: 'holds that were made and not paid',
    per: 'client',
    max: 20,
    windowSeconds: HOUR,
    beyond: '429 for another hold',
  },
  open_holds_client: {
    counts: 'holds that are open, over all calendars',
    per: 'client',
    max: 3,
    windowSeconds: null,
    beyond: '429 for another hold',
  },
  held_minutes: {
    counts: 'minutes for which one time was held and not paid',
    per: 'time of a calendar, and network (IPv4: client)',
    max: 15,
    windowSeconds: HOUR,
    beyond: '429 for another hold of that time',
  },
  holds_network: {
    counts: 'holds that were made and not paid',
    per: 'network (IPv6 /48)',
    max: 80,
    windowSeconds: HOUR,
    beyond: '429 for another hold',
  },
  open_holds_network: {
    counts: 'holds that are open, over all calendars',
    per: 'network (IPv6 /48)',
    max: 12,
    windowSeconds: null,
    beyond: '429 for another hold',
  },
  open_holds_email: {
    counts: 'holds that are open, over all calendars',
    per: 'email address',
    max: 3,
    windowSeconds: null,
    beyond: '429 for another hold',
  },
  held_share_of_day: {
    counts: 'times of a day that holds take, in percent; two holds are always possible',
    per: 'calendar and day; half of it for a network that holds one already',
    max: 30,
    windowSeconds: null,
    beyond: '429 for another hold on that day',
  },
  payment_questions: {
    counts: 'questions to a payment provider that whoever has the link of an appointment causes',
    per: 'appointment',
    max: 60,
    windowSeconds: HOUR,
    beyond: 'answered from what is stored',
  },
  bookings_client_calendar: {
    counts: 'bookings without payment',
    per: 'client and calendar; not where its owner is logged in',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429',
  },
  bookings_client: {
    counts: 'bookings without payment',
    per: 'client',
    max: 60,
    windowSeconds: HOUR,
    beyond: '429',
  },
  bookings_network: {
    counts: 'bookings without payment',
    per: 'network (IPv6 /48)',
    max: 240,
    windowSeconds: HOUR,
    beyond: '429',
  },
  email_codes_client: {
    counts: 'codes typed to confirm the email address of a booking',
    per: 'client',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429',
  },
  email_codes: {
    counts: 'codes typed to confirm the email address of a booking',
    per: 'booking',
    max: 5,
    windowSeconds: HOUR,
    beyond: '429; the time is given back when its 15 minutes are over',
  },
  email_code_mails: {
    counts: 'codes sent once more',
    per: 'booking',
    max: 2,
    windowSeconds: HOUR,
    beyond: '429',
  },
  manage_links: {
    counts: 'links of appointments that were opened and are not ours',
    per: 'client',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429; a link that is ours goes on working',
  },
  manage_moves: {
    counts: 'moves of an appointment by its customer',
    per: 'appointment',
    max: 20,
    windowSeconds: DAY,
    beyond: '429 `appointment.move_many`',
  },
  manage_changes: {
    counts: 'changes of the details of an appointment by its customer',
    per: 'appointment',
    max: 20,
    windowSeconds: HOUR,
    beyond: '429',
  },
  customer_codes_client: {
    counts: 'codes typed to see all appointments with a practice',
    per: 'client',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429',
  },
  customer_codes: {
    counts: 'codes typed to see all appointments with a practice',
    per: 'customer of a calendar, until the right one',
    max: 5,
    windowSeconds: HOUR,
    beyond: '429',
  },
  customer_code_mails: {
    counts: 'codes sent to see all appointments with a practice',
    per: 'customer of a calendar',
    max: 3,
    windowSeconds: HOUR,
    beyond: '429',
  },
  bookings_email: {
    counts: 'bookings without payment, over all calendars',
    per: 'email address',
    max: 10,
    windowSeconds: DAY,
    beyond: '429',
  },
  series_plans_client: {
    counts: 'plans of a series that a customer looks at before booking',
    per: 'client',
    max: 120,
    windowSeconds: HOUR,
    beyond: '429',
  },
  waiting_requests_client: {
    counts: 'requests for a place on a waiting list',
    per: 'client',
    max: 10,
    windowSeconds: DAY,
    beyond: '429 `waiting.too_many`',
  },
  waiting_requests_network: {
    counts: 'requests for a place on a waiting list',
    per: 'network (IPv6 /48)',
    max: 40,
    windowSeconds: DAY,
    beyond: '429 `waiting.too_many`',
  },
  waiting_requests_calendar: {
    counts: 'requests for a place on a waiting list, over all calendars of an owner',
    per: 'owner',
    // Each request sends an email. This is less than half of `email_practice`, so strangers can never use up a
    // practice's own emails.
    max: 200,
    windowSeconds: DAY,
    beyond: '429 `waiting.too_many`',
  },
  waiting_requests_email: {
    counts: 'requests for a place on a waiting list, over all calendars',
    per: 'email address',
    max: 5,
    windowSeconds: DAY,
    beyond: '429 `waiting.too_many_for_email`',
  },
  waiting_offers_client: {
    counts: 'offers of a waiting list',
    per: 'client that asked for the place',
    max: 10,
    windowSeconds: DAY,
    beyond: 'the time is offered to the next customer',
  },
  waiting_offers_network: {
    counts: 'offers of a waiting list',
    per: 'network (IPv4: client) that asked for the place',
    max: 30,
    windowSeconds: DAY,
    beyond: 'the time is offered to the next customer',
  },
  waiting_offers_email: {
    counts: 'offers of a waiting list, over all calendars',
    per: 'email address',
    max: 5,
    windowSeconds: DAY,
    beyond: 'the time is offered to the next customer',
  },
  waiting_offers_practice: {
    counts: 'offers of a waiting list, each of which is an email; they use no other budget of email',
    per: 'owner; times the factor of the owner’s level for `email_practice`',
    max: 100,
    windowSeconds: DAY,
    beyond: 'nothing is offered; free times can be booked as usual',
  },
  many_changes: {
    counts: 'changes of whole days',
    per: 'account',
    // One request writes up to 500 rows. An owner who goes away sends one request for all days and calendars.
    max: 20,
    windowSeconds: DAY,
    beyond: '429 `many_change.too_often`',
  },
  email_owner: {
    counts:
      'emails to customers that the owner caused: bookings by the owner, actions, other times offered, reminders of them, send again',
    per: 'owner; times the factor of the owner’s level',
    max: 60,
    windowSeconds: DAY,
    beyond: 'the message waits, the owner is told',
  },
  email_practice: {
    counts: 'emails about appointments to customers, whoever caused them; not offers of a waiting list',
    per: 'owner; times the factor of the owner’s level',
    max: 500,
    windowSeconds: DAY,
    beyond: 'the message waits, the owner is told',
  },
  email_calendar_recipient: {
    counts: 'emails about appointments to one address; not to the owner’s own',
    per: 'calendar and recipient',
    max: 15,
    windowSeconds: DAY,
    beyond: 'the message waits, the owner is told',
  },
  email_recipient: {
    counts: 'emails about appointments to one address, from all calendars; not to the owner’s own',
    per: 'recipient',
    max: 30,
    windowSeconds: DAY,
    beyond: 'the message waits, the owner is told',
  },
  email_unanswered: {
    counts: 'first emails about bookings on the public page, to an address that has not answered',
    per: 'recipient',
    max: 3,
    windowSeconds: 7 * DAY,
    beyond: 'the message waits until the recipient answers, the owner is told',
  },
  email_again: {
    counts: 'times that the owner has one message sent again',
    per: 'message',
    max: 5,
    windowSeconds: DAY,
    beyond: '429 `message.sent_often`',
  },
  email_account_client: {
    counts: 'emails about a registration, a new password or another address',
    per: 'client and recipient',
    max: 6,
    windowSeconds: DAY,
    beyond: 'no further email; the answer is the same',
  },
  email_account_recipient: {
    counts: 'emails about a registration, a new password or another address',
    per: 'recipient',
    max: 10,
    windowSeconds: DAY,
    beyond: 'no further email; the answer is the same',
  },
  email_account_device: {
    counts: 'links to choose a new password, asked for on a device that has logged in to the account before',
    per: 'device and account',
    max: 6,
    windowSeconds: DAY,
    beyond: 'no further email; the answer is the same',
  },
  email_account_notice: {
    counts: 'emails that tell owners what was changed in their account',
    per: 'recipient',
    max: 20,
    windowSeconds: DAY,
    beyond: 'the email is not sent, and nobody is told',
  },
  sharing_codes: {
    counts: 'sharing codes of locations that an owner enters',
    per: 'account',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429',
  },
  plan_questions: {
    counts:
      'questions to the provider of the plans that an owner causes: refresh, checkout, portal, invoices',
    per: 'account',
    max: 60,
    windowSeconds: HOUR,
    beyond: '429',
  },
  calendar_copies: {
    counts: 'copies of calendars that an owner makes',
    per: 'account',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429',
  },
  calendar_connects: {
    counts: 'accounts of calendars that an owner tries to connect by an address or a password',
    per: 'account',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429',
  },
  calendar_syncs: {
    counts: 'syncs of external calendars that an owner asks for',
    per: 'calendar',
    max: 10,
    windowSeconds: MINUTE,
    beyond: '429; it is synced by itself',
  },
  calendar_choices: {
    counts: 'other choices of the external calendars that a calendar reads and writes to',
    per: 'account',
    max: 120,
    windowSeconds: HOUR,
    beyond: '429',
  },
  calendar_rewrites: {
    counts:
      'switches and time zones by which external calendars are read anew, or all events to come are written again',
    per: 'account',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429; the switch stays as it is, and what is in another time zone is read anew by the next sync',
  },
  calendar_checks: {
    counts: 'questions to the provider of an external calendar before a customer books',
    per: 'connected account',
    max: 20,
    windowSeconds: MINUTE,
    beyond: 'our copy decides, and the account is synced at once',
  },
  calendar_notification_strays: {
    counts: 'notifications about external calendars that belong to no channel of ours',
    per: 'client',
    max: 120,
    windowSeconds: HOUR,
    beyond: '429',
  },
  domain_claims: {
    counts: 'paths, subdomains and domains that an owner chooses as the address of a calendar',
    per: 'account',
    max: 20,
    windowSeconds: DAY,
    beyond: '429; a calendar can always go back to its booking link',
  },
  subdomains_owner: {
    counts: 'new subdomains, each of which needs a certificate; not those that a calendar had before',
    per: 'account',
    max: 5,
    windowSeconds: 30 * DAY,
    beyond: '429; a calendar can always have its own subdomain again',
  },
  subdomains_installation: {
    counts: 'new subdomains, each of which needs a certificate; not those that a calendar had before',
    per: 'installation',
    // Let's Encrypt issues at most 50 certificates a week for all names below one registered domain.
    max: 40,
    windowSeconds: 7 * DAY,
    beyond: '429; a calendar can always have its own subdomain again',
  },
  subdomains_first: {
    counts: 'the new subdomain that an owner may have before the next one counts as a further one',
    per: 'account',
    max: 1,
    windowSeconds: 30 * DAY,
    beyond: 'the next one counts for `subdomains_further` as well',
  },
  subdomains_further: {
    counts: 'new subdomains of owners who got one in the last 30 days',
    per: 'installation',
    max: 10,
    windowSeconds: 7 * DAY,
    beyond: '429 `domain.subdomains_spent` for such owners; the others still get one',
  },
  subdomains_new_accounts: {
    counts: 'new subdomains of accounts that are younger than 14 days',
    per: 'installation',
    max: 10,
    windowSeconds: 7 * DAY,
    beyond: '429 `domain.subdomains_spent` for new accounts; the others still get one',
  },
  domain_checks: {
    counts: 'checks of a domain’s DNS records that an owner asks for',
    per: 'account',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429; domains in use are checked daily by themselves',
  },
  logos_account: {
    counts: 'logos that are fetched or uploaded',
    per: 'account',
    max: 30,
    windowSeconds: HOUR,
    beyond: '429',
  },
  branding_checks: {
    counts: 'checks of custom CSS, for a preview or when it is saved',
    per: 'account',
    max: 600,
    windowSeconds: QUARTER,
    beyond: '429',
  },
  contact_messages: {
    counts: 'messages from the contact page',
    per: 'installation',
    max: 300,
    windowSeconds: DAY,
    beyond: '429 `contact.too_many_today`',
  },
} as const satisfies Record<string, Budget>

export type BudgetName = keyof typeof BUDGETS

/** The budgets that `platform/budgets` counts per time window. */
export type WindowBudgetName = {
  [Name in BudgetName]: (typeof BUDGETS)[Name]['windowSeconds'] extends number ? Name : never
}[BudgetName]

/** The limits of this installation: the defaults above, with the operator's overrides. */
export type BudgetAmounts = Readonly<Record<BudgetName, number>>

/**
 * Parses the setting `BUDGETS`: `name=amount`, separated by commas. Source: rule H14.
 * @returns the limits, and one sentence for each mistake
 */
export function parseBudgetAmounts(text: string): { amounts: BudgetAmounts; mistakes: string[] } {
  const amounts = Object.fromEntries<number>(Object.entries(BUDGETS).map(([name, { max }]) => [name, max]))
  const mistakes: string[] = []
  for (const part of text.split(',')) {
    if (part.trim() === '') continue
    const [, name = '', amount] = /^\s*(\w+)\s*=\s*(\d{1,8})\s*$/.exec(part) ?? []
    if (amount === undefined) mistakes.push(`needs name=amount, and has “${part.trim()}”`)
    else if (!Object.hasOwn(BUDGETS, name)) mistakes.push(`has no budget “${name}”`)
    else amounts[name] = Number(amount)
  }
  // The entries come from BUDGETS, so every name is present.
  return { amounts: amounts as BudgetAmounts, mistakes }
}
