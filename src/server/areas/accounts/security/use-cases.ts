import type { AccountSession } from '#contract/accounts/security.ts'
import { parseDevice } from '#core/accounts/device.ts'
import { queueAccountNotice } from '#server/areas/accounts/sessions/use-cases.ts'
import { revokeOtherLogins, updatePassword } from '#server/platform/auth/account-rows.ts'
import type { SignedInOwner } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { type IdentityCheckDeps, verifyPassword } from './prove-identity.ts'
import { deleteOtherSessions, deleteSession, listSessions, type StoredSession } from './repository.ts'

export type SecurityDeps = IdentityCheckDeps & { readonly db: Db; readonly jobs: Pick<JobQueue, 'insert'> }

/**
 * Changes the password, ends the other sessions if requested, and emails the owner. Always invalidates password reset
 * links and trusted devices. Source: rule U22.
 * @throws ProblemError `account.wrong_password`, `request.too_many`
 */
export async function changePassword(
  deps: SecurityDeps,
  { ownerId, sessionId, user }: SignedInOwner,
  input: { current_password: string; new_password: string; sign_out_others: boolean },
): Promise<void> {
  await verifyPassword(deps, ownerId, { password: input.current_password, field: 'current_password' })
  const hash = await deps.auth.hashPassword(input.new_password)
  await inTransaction(deps.db, async (trx) => {
    await updatePassword(trx, ownerId, hash)
    if (input.sign_out_others) await deleteOtherSessions(trx, ownerId, sessionId)
    await revokeOtherLogins(trx, ownerId)
    await queueAccountNotice(deps, trx, user, 'password_changed')
  })
}

/** Lists the owner's sessions: the current one first, then the last used. */
export async function listOwnSessions(
  { db }: Pick<SecurityDeps, 'db'>,
  { ownerId, sessionId }: SignedInOwner,
): Promise<AccountSession[]> {
  const sessions = (await listSessions(db, ownerId)).map((stored) => toOwnSession(stored, sessionId))
  return [...sessions.filter(({ current }) => current), ...sessions.filter(({ current }) => !current)]
}

/**
 * Ends one session. Its device then needs both password and code again. Source: rule U22.
 * @throws ProblemError `account.session_not_found`
 */
export async function signOutSession(
  { db }: Pick<SecurityDeps, 'db'>,
  { ownerId }: SignedInOwner,
  sessionId: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await deleteSession(trx, ownerId, sessionId))) throw new ProblemError('account.session_not_found')
    await revokeOtherLogins(trx, ownerId)
  })
}

/** Ends all sessions except the current one, and returns how many. */
export async function signOutOtherSessions(
  { db }: Pick<SecurityDeps, 'db'>,
  { ownerId, sessionId }: SignedInOwner,
): Promise<number> {
  return inTransaction(db, async (trx) => {
    await revokeOtherLogins(trx, ownerId)
    return deleteOtherSessions(trx, ownerId, sessionId)
  })
}

function toOwnSession(stored: StoredSession, currentId: string): AccountSession {
  return {
    id: stored.id,
    ...parseDevice(stored.user_agent),
    ip_address: stored.ip_address === '' ? null : stored.ip_address,
    created_at: stored.created_at.toISOString(),
    last_used_at: stored.updated_at.toISOString(),
    current: stored.id === currentId,
  }
}
