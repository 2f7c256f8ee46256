/**
 * Who caused a message to a customer. An action on a public page counts as the customer's, whoever does it.
 * Source: rule E2.
 */
export type MailCause = 'owner' | 'customer'

/** What decides which budgets a message to a customer uses. */
export type CustomerMail = {
  readonly causedBy: MailCause
  /** It goes to the owner's own confirmed address: owners try their own booking page. Source: rule E3. */
  readonly isToOwner: boolean
  /** The address has not yet been told of this booking, which was made on the public page. Source: rule E4. */
  readonly isFirstWord: boolean
  /** The reader of the address has shown that they know of bookings here. */
  readonly isKnown: boolean
}

export type MailBudgetName =
  | 'email_owner'
  | 'email_practice'
  | 'email_calendar_recipient'
  | 'email_recipient'
  | 'email_unanswered'

/** The budgets that a message to a customer uses, first those that only the owner can use up. Source: rule E3. */
export function listMailBudgets(mail: CustomerMail): MailBudgetName[] {
  const owners: MailBudgetName[] =
    mail.causedBy === 'owner' ? ['email_owner', 'email_practice'] : ['email_practice']
  if (mail.isToOwner) return owners
  const recipients: MailBudgetName[] = ['email_calendar_recipient', 'email_recipient']
  return mail.isFirstWord && !mail.isKnown
    ? [...owners, ...recipients, 'email_unanswered']
    : [...owners, ...recipients]
}
