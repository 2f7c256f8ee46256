import { type CustomerMail, listMailBudgets, type MailBudgetName } from '#core/abuse/mail-budgets.ts'
import { SENDER_LEVELS } from '#core/abuse/sender-level.ts'
import { SECOND_MS } from '#core/shared/duration.ts'
import type { Budgets, BudgetUse } from '#server/platform/budgets/budgets.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { WaitReason } from '#server/platform/db/schema.ts'
import type { RecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import { MailRefusedError } from '#server/ports/mailer.ts'
import type { Sender } from './sender-repository.ts'

export type MailBudgetsDeps = {
  readonly now: Clock
  readonly budgets: Pick<Budgets, 'take' | 'giveBack'>
  readonly recipientKeys: RecipientKeys
}

/** Why a message is not sent now, and when to try again. Source: rule E1. */
export type SendDelay = { readonly reason: WaitReason; readonly until: Date }

type Counted = CustomerMail & {
  readonly sender: Sender
  readonly calendarId: string
  readonly recipientKey: string
}

/** A message has room, and has been counted; or it waits, and has not. */
export type SendPermit =
  | {
      readonly wait: null
      /** Undoes the count of a message that could not be handed over, when a later try may still deliver it. */
      readonly giveBackAfter: (failure: unknown) => Promise<void>
    }
  | { readonly wait: SendDelay }

/** The room of a message that no budget counts. */
export const UNCOUNTED_PERMIT: SendPermit = { wait: null, giveBackAfter: async () => {} }

/** A shorter wait is not worth a query. */
const SHORTEST_WAIT_SECONDS = 60

/**
 * Counts a message to a customer just before it is handed to the mail server: in all of its budgets, or in none.
 * Source: rule E1.
 */
export async function spendMailBudgets(deps: MailBudgetsDeps, mail: Counted): Promise<SendPermit> {
  const taken: BudgetUse[] = []
  const giveBack = async () => {
    for (const use of taken) await deps.budgets.giveBack(use)
  }
  for (const budget of listMailBudgets(mail)) {
    const use = toUse(budget, mail)
    const spent = await deps.budgets.take([use])
    if (spent === null) {
      taken.push(use)
      continue
    }
    await giveBack()
    const waitMs = Math.max(spent.waitSeconds, SHORTEST_WAIT_SECONDS) * SECOND_MS
    return { wait: { reason: budget, until: new Date(deps.now() + waitMs) } }
  }
  return {
    wait: null,
    // A message that is refused for good counts: an address that does not exist was tried all the same.
    giveBackAfter: async (failure) => {
      if (!(failure instanceof MailRefusedError && failure.isFinal)) await giveBack()
    },
  }
}

function toUse(budget: MailBudgetName, { sender, calendarId, recipientKey }: Counted): BudgetUse {
  switch (budget) {
    case 'email_owner':
    case 'email_practice':
      return { budget, subject: sender.ownerId, times: SENDER_LEVELS[sender.standing][budget] }
    case 'email_calendar_recipient':
      return { budget, subject: `${calendarId} ${recipientKey}` }
    case 'email_recipient':
    case 'email_unanswered':
      return { budget, subject: recipientKey }
  }
}
