import { z } from 'zod'
import type { TwoFactorSetup, TwoFactorStatus } from '#contract/accounts/security.ts'
import { queueAccountNotice, throwTranslatedAuthError } from '#server/areas/accounts/sessions/use-cases.ts'
import { revokeOtherLogins, setTwoFactorEnabled } from '#server/platform/auth/account-rows.ts'
import type { AuthUser } from '#server/platform/auth/auth.ts'
import type { Caller } from '#server/platform/auth/caller.ts'
import type { OwnerId, SignedInOwner } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { verifyPassword, verifySecondFactor } from './prove-identity.ts'
import {
  deleteAuthenticator,
  getMailRecipient,
  hasAuthenticator,
  hasTwoFactor,
  lockTwoFactor,
  markAuthenticatorVerified,
} from './repository.ts'
import type { SecurityDeps } from './use-cases.ts'

type Proof = { readonly password: string; readonly code: string }

// The account library creates and checks secrets and codes. We turn the second factor on and off in our own
// transactions, so that the change is atomic and its notification is sent only if the change commits
// (docs/decisions/0008).

const setupAnswer = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) })
const backupCodesAnswer = z.object({ backupCodes: z.array(z.string()) })

export async function getTwoFactor(
  deps: Pick<SecurityDeps, 'db' | 'auth'>,
  { ownerId }: SignedInOwner,
): Promise<TwoFactorStatus> {
  if (!(await hasTwoFactor(deps.db, ownerId))) return { enabled: false, backup_codes_left: null }
  return { enabled: true, backup_codes_left: await deps.auth.countBackupCodes(ownerId) }
}

/**
 * Creates a secret for the owner's authenticator app. It takes effect after a first correct code; calling this again
 * creates a new secret.
 * @throws ProblemError `account.wrong_password`, `account.two_factor_on`, `request.too_many`
 */
export async function startTwoFactor(
  deps: SecurityDeps,
  caller: Caller,
  { ownerId }: SignedInOwner,
  { password }: Pick<Proof, 'password'>,
): Promise<TwoFactorSetup> {
  await verifyPassword(deps, ownerId, { password, field: 'password' })
  await inTransaction(deps.db, async (trx) => {
    if (await lockTwoFactor(trx, ownerId)) throw new ProblemError('account.two_factor_on')
    await deleteAuthenticator(trx, ownerId)
  })
  const answer = await deps.auth.call({
    ...caller,
    method: 'POST',
    path: '/two-factor/enable',
    body: { password },
  })
  throwTranslatedAuthError(answer)
  const { totpURI, backupCodes } = setupAnswer.parse(answer.body)
  return {
    uri: totpURI,
    secret: new URL(totpURI).searchParams.get('secret') ?? '',
    backup_codes: backupCodes,
  }
}

/**
 * Turns the second factor on, with a first code of the authenticator app.
 * @throws ProblemError `account.wrong_code`, `account.code_locked`, `account.two_factor_on`, `account.two_factor_off`
 */
export async function confirmTwoFactor(
  deps: SecurityDeps,
  caller: Caller,
  { ownerId, user }: SignedInOwner,
  code: string,
): Promise<TwoFactorStatus> {
  if (await hasTwoFactor(deps.db, ownerId)) throw new ProblemError('account.two_factor_on')
  // The library treats the first code like any other only if the secret is already verified, so mark it as verified.
  const authenticatorId = await markAuthenticatorVerified(deps.db, ownerId)
  if (authenticatorId === null) throw new ProblemError('account.two_factor_off')
  await verifySecondFactor(deps, caller, ownerId, { typed: code, allowBackup: false })
  await inTransaction(deps.db, async (trx) => {
    if (await lockTwoFactor(trx, ownerId)) throw new ProblemError('account.two_factor_on')
    // Another window may have created a new secret in the meantime; this code was not checked against it.
    if (!(await hasAuthenticator(trx, authenticatorId))) throw new ProblemError('account.two_factor_off')
    await setTwoFactorEnabled(trx, ownerId, true)
    await revokeOtherLogins(trx, ownerId)
    await queueAccountNotice(deps, trx, user, 'two_factor_on')
  })
  return { enabled: true, backup_codes_left: await deps.auth.countBackupCodes(ownerId) }
}

/**
 * Turns the second factor off. An owner who has lost their phone can use a backup code. Source: rule U19.
 * @throws ProblemError `account.wrong_password`, `account.wrong_code`, `account.code_locked`, `account.two_factor_off`
 */
export async function removeTwoFactor(
  deps: SecurityDeps,
  caller: Caller,
  { ownerId, user }: SignedInOwner,
  proof: Proof,
): Promise<TwoFactorStatus> {
  await prove(deps, caller, ownerId, proof)
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockTwoFactor(trx, ownerId))) throw new ProblemError('account.two_factor_off')
    await disableTwoFactor(deps, trx, ownerId, user)
  })
  return { enabled: false, backup_codes_left: null }
}

/**
 * Turns off second factors without a code, and emails their owners: for secrets that cannot be decrypted, and for the
 * operator. Source: rules D18 and U37.
 */
export async function turnOffTwoFactors(
  deps: Pick<SecurityDeps, 'jobs'>,
  trx: Trx,
  ownerIds: readonly OwnerId[],
): Promise<void> {
  for (const ownerId of ownerIds)
    await disableTwoFactor(deps, trx, ownerId, await getMailRecipient(trx, ownerId))
}

async function disableTwoFactor(
  deps: Pick<SecurityDeps, 'jobs'>,
  trx: Trx,
  ownerId: OwnerId,
  user: Pick<AuthUser, 'fullName' | 'email'>,
): Promise<void> {
  await setTwoFactorEnabled(trx, ownerId, false)
  await deleteAuthenticator(trx, ownerId)
  await revokeOtherLogins(trx, ownerId)
  await queueAccountNotice(deps, trx, user, 'two_factor_off')
}

/**
 * Replaces the remaining backup codes with ten new ones. Source: rule U19.
 * @throws ProblemError `account.wrong_password`, `account.wrong_code`, `account.code_locked`, `account.two_factor_off`
 */
export async function replaceBackupCodes(
  deps: SecurityDeps,
  caller: Caller,
  { ownerId, user }: SignedInOwner,
  proof: Proof,
): Promise<string[]> {
  await prove(deps, caller, ownerId, proof)
  const answer = await deps.auth.call({
    ...caller,
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    body: { password: proof.password },
  })
  throwTranslatedAuthError(answer)
  const { backupCodes } = backupCodesAnswer.parse(answer.body)
  await inTransaction(deps.db, (trx) => queueAccountNotice(deps, trx, user, 'backup_codes_replaced'))
  return backupCodes
}

async function prove(deps: SecurityDeps, caller: Caller, ownerId: OwnerId, proof: Proof): Promise<void> {
  if (!(await hasTwoFactor(deps.db, ownerId))) throw new ProblemError('account.two_factor_off')
  await verifyPassword(deps, ownerId, { password: proof.password, field: 'password' })
  await verifySecondFactor(deps, caller, ownerId, { typed: proof.code, allowBackup: true })
}
