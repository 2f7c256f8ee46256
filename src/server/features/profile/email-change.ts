import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccountMail } from '#server/platform/auth/auth.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/pg-errors.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { deleteEmailChange, findEmailChange, replaceEmailChange } from './email-change-repository.ts'
import { findNameByEmail, forgetLinks, lockProfile, type ProfileRow, updateProfile } from './repository.ts'

export type EmailChangeDeps = {
  readonly db: Db
  readonly now: Clock
  /** Queues account mails in the transaction that causes them. */
  readonly queueAccountMails: (trx: Trx, mails: readonly AccountMail[]) => Promise<void>
}

/** As long as the link of a new account. */
const LINK_LIFE_MS = 24 * 60 * 60 * 1000

/**
 * Asks for another address: it gets a link, the present one is told. The address of somebody else's account is
 * treated alike, except that its owner reads about it instead of getting a link, so that no answer tells whether there
 * is one.
 */
export async function askForEmailChange(
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
  const takenBy = await findNameByEmail(trx, newEmail)
  await deps.queueAccountMails(trx, [
    takenBy === null
      ? { kind: 'address_change', name: profile.full_name, email: newEmail, token: `${profile.id}.${secret}` }
      : { kind: 'address_change_taken', name: takenBy, email: newEmail },
    { kind: 'address_change_notice', name: profile.full_name, email: profile.email, newEmail },
  ])
}

/** Stays with the present address: the link that was sent leads nowhere any more. */
export async function cancelEmailChange(deps: EmailChangeDeps, ownerId: OwnerId): Promise<void> {
  await deleteEmailChange(deps.db, ownerId)
}

/**
 * Changes the address by the link from the mail. Nobody is signed in by it: it proves that the address is read, not
 * who opens it.
 * @throws ProblemError `auth.invalid_token`
 */
export async function confirmEmailChange(deps: EmailChangeDeps, token: string): Promise<void> {
  const [userId = '', secret = ''] = token.split('.')
  if (!UUID.test(userId)) throw new ProblemError('auth.invalid_token')
  // The secret in the link stands for the session: only the account it was made for is touched.
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
      await forgetLinks(trx, ownerId)
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
    // Somebody registered the address meanwhile.
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
