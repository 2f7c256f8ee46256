/** Who caused a message to a customer. Any action on a public page counts as the customer's. Source: rule E2. */
export type MailCause = 'owner' | 'customer'

/** The facts that decide which email budgets a message to a customer uses. */
export type CustomerMail = {
  readonly causedBy: MailCause
  /**
   * True when the recipient is the owner's own confirmed address: owners try out their own booking page. Source: rule
   * E3.
   */
  readonly isToOwner: boolean
  /** True for the first message to this address about a booking made on the public page. Source: rule E4. */
  readonly isFirstWord: boolean
  /** True when the recipient has confirmed the address or otherwise shown that they know of the booking. */
  readonly isKnown: boolean
}

export type MailBudgetName =
  | 'email_owner'
  | 'email_practice'
  | 'email_calendar_recipient'
  | 'email_recipient'
  | 'email_unanswered'

/**
 * Lists the budgets that a message to a customer uses; those that only the owner can use up come first. Source: rule
 * E3.
 */
export function listMailBudgets(mail: CustomerMail): MailBudgetName[] {
  const owners: MailBudgetName[] =
    mail.causedBy === 'owner' ? ['email_owner', 'email_practice'] : ['email_practice']
  if (mail.isToOwner) return owners
  const recipients: MailBudgetName[] = ['email_calendar_recipient', 'email_recipient']
  return mail.isFirstWord && !mail.isKnown
    ? [...owners, ...recipients, 'email_unanswered']
    : [...owners, ...recipients]
}
