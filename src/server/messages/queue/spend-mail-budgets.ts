import { type CustomerMail, listMailBudgets, type MailBudgetName } from '#core/messages/mail-budgets.ts'
import { SENDER_TRUST_LEVELS } from '#core/messages/sender-level.ts'
import { SECOND_MS } from '#core/shared/duration.ts'
import type { Budgets, BudgetUse } from '#server/platform/budgets/budgets.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { MessageWaitReason } from '#server/platform/db/schema.ts'
import type { RecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import { MailRefusedError } from '#server/ports/mailer.ts'
import type { SendingOwner } from './sender-repository.ts'

export type MailBudgetsDeps = {
  readonly now: Clock
  readonly budgets: Pick<Budgets, 'spend' | 'uncount'>
  readonly recipientKeys: RecipientKeys
}

/** The reason why a message is not sent now, and when to try again. Source: rule E1. */
export type SendDelay = { readonly reason: MessageWaitReason; readonly until: Date }

type Counted = CustomerMail & {
  readonly sender: SendingOwner
  readonly calendarId: string
  readonly recipientKey: string
}

/**
 * The result of checking the email limits: either the message may be sent and was counted, or it has to wait and was
 * not counted.
 */
export type SendPermit =
  | {
      readonly wait: null
      /** Subtracts the message from the counts again if sending failed and a retry may still deliver it. */
      readonly uncountAfter: (failure: unknown) => Promise<void>
    }
  | { readonly wait: SendDelay }

/** The permit of a message that is not counted. */
export const UNCOUNTED_PERMIT: SendPermit = { wait: null, uncountAfter: async () => {} }

/** Shortest wait, in seconds. A shorter wait is not worth a query. */
const SHORTEST_WAIT_SECONDS = 60

/**
 * Counts a message to a customer right before it is sent, towards all of its email limits or towards none. Source: rule
 * E1.
 */
export async function spendMailBudgets(deps: MailBudgetsDeps, mail: Counted): Promise<SendPermit> {
  const counted: BudgetUse[] = []
  const uncountAll = async () => {
    for (const use of counted) await deps.budgets.uncount(use)
  }
  for (const budget of listMailBudgets(mail)) {
    const use = toUse(budget, mail)
    const spent = await deps.budgets.spend([use])
    if (spent === null) {
      counted.push(use)
      continue
    }
    await uncountAll()
    const waitMs = Math.max(spent.waitSeconds, SHORTEST_WAIT_SECONDS) * SECOND_MS
    return { wait: { reason: budget, until: new Date(deps.now() + waitMs) } }
  }
  return {
    wait: null,
    // A permanently refused message still counts, because an attempt was made to send it.
    uncountAfter: async (failure) => {
      if (!(failure instanceof MailRefusedError && failure.isFinal)) await uncountAll()
    },
  }
}

function toUse(budget: MailBudgetName, { sender, calendarId, recipientKey }: Counted): BudgetUse {
  switch (budget) {
    case 'email_owner':
    case 'email_practice':
      return { budget, subject: sender.ownerId, times: SENDER_TRUST_LEVELS[sender.standing][budget] }
    case 'email_calendar_recipient':
      return { budget, subject: `${calendarId} ${recipientKey}` }
    case 'email_recipient':
    case 'email_unanswered':
      return { budget, subject: recipientKey }
  }
}
