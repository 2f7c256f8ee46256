import { randomUUID } from 'node:crypto'
import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { writeInvitation } from './invitation-repository.ts'
import { findAccountName } from './repository.ts'
import type { RegistrationsDeps } from './use-cases.ts'

/**
 * Invites an address and emails the link, which replaces an earlier invitation. Returns when it expires; null when the
 * address has an account already. Source: rule U36.
 */
export async function inviteOwner(
  deps: Pick<RegistrationsDeps, 'db' | 'now' | 'queueAccountMails'>,
  email: string,
): Promise<Date | null> {
  return inTransaction(deps.db, async (trx) => {
    if ((await findAccountName(trx, email)) !== null) return null
    const id = randomUUID()
    const createdAt = new Date(deps.now())
    const expiresAt = new Date(createdAt.getTime() + RETENTION_DAYS.invitation * DAY_MS)
    await writeInvitation(trx, { id, email, createdAt, expiresAt })
    await deps.queueAccountMails(trx, [{ kind: 'invitation', name: '', email, invitationId: id }])
    return expiresAt
  })
}
