import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { findAccountName } from '#server/areas/accounts/registrations/repository.ts'
import type { AccountMailRequest } from '#server/platform/auth/account-mail-request.ts'
import { revokeOtherLogins } from '#server/platform/auth/account-rows.ts'
import type { AccountMail } from '#server/platform/auth/auth.ts'
import type { Caller } from '#server/platform/auth/caller.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import {
  type AccountMailBudgetDeps,
  spendAccountMailBudget,
} from '#server/platform/budgets/spend-account-mail-budget.ts'
import { spendClientBudget } from '#server/platform/budgets/spend-client-budget.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/pg-errors.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { deleteEmailChange, findEmailChange, replaceEmailChange } from './email-change-repository.ts'
import { lockProfile, type ProfileRow, updateProfile } from './repository.ts'

export type EmailChangeDeps = AccountMailBudgetDeps & {
  readonly db: Db
  readonly now: Clock
  readonly queueAccountMailRequest: (trx: Trx, request: AccountMailRequest) => Promise<void>
  /** Queues account emails in the caller's transaction. */
  readonly queueAccountMails: (trx: Trx, mails: readonly AccountMail[]) => Promise<void>
  /** Queues a job that sends the new email address to the billing provider. Source: rule S16. */
  readonly announceEmail: (trx: Trx, ownerId: OwnerId) => Promise<void>
}

/** Lifetime of the link, in milliseconds: the same as for the link of a new account. */
const LINK_LIFE_MS = 24 * 60 * 60 * 1000

/**
 * Requests a change of the email address: the new address gets a link, and the current one a notice. The job that sends
 * the link checks whether the new address has an account, so neither the response nor its timing reveals that. Source:
 * rule U9.
 */
export async function requestEmailChange(
  deps: EmailChangeDeps,
  trx: Trx,
  profile: ProfileRow,
  newEmail: string,
): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  await replaceEmailChange(trx, profile.id, {
    newEmail,
    secretHash: hash(secret).toString('hex'),
    expiresAt: new Date(deps.now() + LINK_LIFE_MS),
  })
  const { id: userId, full_name: name } = profile
  const token = `${userId}.${secret}`
  await deps.queueAccountMailRequest(trx, { kind: 'address_change', userId, name, newEmail, token })
  await deps.queueAccountMails(trx, [{ kind: 'address_change_notice', name, email: profile.email, newEmail }])
}

/**
 * Sends the link to the new address. If that address has an account, its owner gets a notice instead. If the email
 * limit is exceeded, nothing is sent. Source: rule U10.
 */
export async function sendEmailChangeLink(
  deps: EmailChangeDeps,
  { userId, name, newEmail, token }: AccountMailRequest & { kind: 'address_change' },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const change = await findEmailChange(trx, userId, new Date(deps.now()))
    // Send nothing if the change was cancelled or requested again in the meantime.
    if (change === null || !isSecretOf(change.secretHash, token.split('.')[1] ?? '')) return
    // Count by account and not by network, so that a logged-in owner has the same limit everywhere.
    const client = { address: userId, network: null }
    if (!(await spendAccountMailBudget(deps, trx, { client, recipient: newEmail }))) return
    const takenBy = await findAccountName(trx, newEmail)
    await deps.queueAccountMails(trx, [
      takenBy === null
        ? { kind: 'address_change', name, email: newEmail, token }
        : { kind: 'address_change_taken', name: takenBy, email: newEmail },
    ])
  })
}

/** Cancels the pending change; its link stops working. */
export async function cancelEmailChange(deps: EmailChangeDeps, ownerId: OwnerId): Promise<void> {
  await deleteEmailChange(deps.db, ownerId)
}

/**
 * Changes the email address after its link was opened. This logs nobody in: the link proves that somebody reads the
 * address, but not who. An unconfirmed registration of the new address does not block the change. Source: rules U7 and
 * U9.
 * @throws ProblemError `auth.invalid_token`, `request.too_many`
 */
export async function confirmEmailChange(
  deps: EmailChangeDeps,
  { client }: Pick<Caller, 'client'>,
  token: string,
): Promise<void> {
  refuseIfOverBudget(
    await spendClientBudget(deps.budgets, { budget: 'link_checks', client, what: 'address change' }),
  )
  const [userId = '', secret = ''] = token.split('.')
  if (!UUID.test(userId)) throw new ProblemError('auth.invalid_token')
  // The secret in the link replaces the session, so the link can change only the account for which it was created.
  const ownerId = userId as OwnerId
  try {
    await inTransaction(deps.db, async (trx) => {
      const profile = await lockProfile(trx, ownerId)
      const change = await findEmailChange(trx, userId, new Date(deps.now()))
      if (profile === null || change === null || !isSecretOf(change.secretHash, secret)) {
        throw new ProblemError('auth.invalid_token')
      }
      await updateProfile(trx, ownerId, { email: change.newEmail }, new Date(deps.now()))
      await deleteEmailChange(trx, userId)
      await deps.announceEmail(trx, ownerId)
      // Invalidate password reset links too, because they were sent to the old address.
      await revokeOtherLogins(trx, ownerId)
      await deps.queueAccountMails(trx, [
        {
          kind: 'address_changed',
          name: profile.full_name,
          email: profile.email,
          newEmail: change.newEmail,
        },
      ])
    })
  } catch (error) {
    // Somebody has registered and confirmed the address in the meantime.
    if (isUniqueViolation(error)) throw new ProblemError('auth.invalid_token')
    throw error
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function isSecretOf(secretHash: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(secretHash, 'hex'), hash(secret))
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
