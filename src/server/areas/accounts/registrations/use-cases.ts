import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Owner } from '#contract/accounts/sessions.ts'
import type { RegistrationMode } from '#contract/pages/page-data.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { signInProvenOwner } from '#server/areas/accounts/sessions/use-cases.ts'
import { insertSetup } from '#server/areas/accounts/setup/repository.ts'
import type { AccountMailRequest } from '#server/platform/auth/account-mail-request.ts'
import { allowFirstLogin, consumeFirstLogin, insertAccount } from '#server/platform/auth/account-rows.ts'
import type { AccountMail, Auth } from '#server/platform/auth/auth.ts'
import type { Caller } from '#server/platform/auth/caller.ts'
import type { KnownDevices } from '#server/platform/auth/known-devices.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { RegistrationCookies } from '#server/platform/auth/registration-cookies.ts'
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
import type { Signer } from '#server/platform/secrets/signer.ts'
import { recordOperatorAction } from '#server/records/operator-actions/repository.ts'
import { consumeInvitation, isInvited } from './invitation-repository.ts'
import {
  consumeRegistration,
  deleteEarlierRegistrations,
  findAccountName,
  findRegistrationEmail,
  insertRegistration,
  isAddressRegistered,
  isRegistrationConfirmed,
  lockRegistration,
} from './repository.ts'

export type RegistrationsDeps = AccountMailBudgetDeps & {
  readonly db: Db
  readonly now: Clock
  readonly auth: Auth
  readonly devices: KnownDevices
  readonly registrationCookies: RegistrationCookies
  readonly signer: Signer
  readonly queueAccountMailRequest: (trx: Trx, request: AccountMailRequest) => Promise<void>
  /** Who can create an account. Source: rule U35. */
  readonly registration: RegistrationMode
  readonly queueAccountMails: (trx: Trx, mails: readonly AccountMail[]) => Promise<void>
}

/** How long the link in the email is valid. Source: rule U4. */
const LINK_LIFE_MS = DAY_MS

/**
 * Registers an owner. The work and the response are the same whether or not the email address has an account, so that
 * only the reader of the mailbox learns that. The account is created when the link in the email is opened. Source: rule
 * U8. Returns the cookie by which the link recognises this browser.
 * @throws ProblemError `auth.registration_closed`, `auth.invitation_*`, `request.too_many`
 */
export async function register(
  deps: RegistrationsDeps,
  { client }: Pick<Caller, 'client'>,
  input: { fullName: string; email: string; password: string; invitation?: string | undefined },
): Promise<{ cookies: readonly string[] }> {
  refuseIfOverBudget(await spendClientBudget(deps.budgets, { budget: 'registrations_client', client }))
  const { fullName, email, invitation } = input
  await refuseUninvited(deps, { email, invitation })
  const passwordHash = await deps.auth.hashPassword(input.password)
  const id = randomUUID()
  await inTransaction(deps.db, async (trx) => {
    await insertRegistration(trx, { id, email, fullName, passwordHash, createdAt: new Date(deps.now()) })
    await deps.queueAccountMailRequest(trx, { kind: 'registration', registrationId: id, client })
  })
  return { cookies: [deps.registrationCookies.issue(id)] }
}

/**
 * Refuses a registration that this installation does not allow. It looks at nothing but the invitation, so it does not
 * reveal whether the address has an account. Source: rules U8, U35 and U36.
 * @throws ProblemError `auth.registration_closed`, `auth.invitation_required`, `auth.invitation_invalid`
 */
async function refuseUninvited(
  { db, now, registration }: Pick<RegistrationsDeps, 'db' | 'now' | 'registration'>,
  { email, invitation }: { email: string; invitation: string | undefined },
): Promise<void> {
  if (registration === 'open') return
  if (registration === 'closed') throw new ProblemError('auth.registration_closed')
  if (invitation === undefined) throw new ProblemError('auth.invitation_required')
  if (!(await isInvited(db, { id: invitation, email }, new Date(now()))))
    throw new ProblemError('auth.invitation_invalid')
}

/**
 * Emails the link of a registration, which replaces earlier registrations of its address. If the address has an
 * account, its owner gets a notice instead. If the email limit is exceeded, nothing changes and the earlier link stays
 * valid. Source: rule U3.
 */
export async function sendRegistrationLink(
  deps: Omit<RegistrationsDeps, 'auth' | 'devices' | 'registrationCookies'>,
  {
    registrationId,
    client,
  }: Pick<AccountMailRequest & { kind: 'registration' }, 'registrationId' | 'client'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const recipient = await findRegistrationEmail(trx, registrationId)
    if (recipient === null || !(await spendAccountMailBudget(deps, trx, { client, recipient }))) return
    // Lock the registration only after the email limit's rows: locking in the same order keeps two registrations of one
    // email address from deadlocking.
    const registration = await lockRegistration(trx, registrationId)
    // A later registration has replaced this one, or it was confirmed in the meantime.
    if (registration === null) return
    const { id, email, fullName } = registration
    await deleteEarlierRegistrations(trx, registration)
    const accountName = await findAccountName(trx, email)
    const expiresAtMs = deps.now() + LINK_LIFE_MS
    const token = writeRegistrationToken(deps.signer, { registrationId: id, email, expiresAtMs })
    await deps.queueAccountMails(trx, [
      accountName === null
        ? { kind: 'address_confirmation', name: fullName, email, token }
        : { kind: 'already_registered', name: accountName, email },
    ])
  })
}

/** The response to an opened confirmation link. `user` is null when the owner has to log in with the password. */
type ConfirmedRegistration = { readonly user: Owner | null; readonly cookies: readonly string[] }

/**
 * Creates the account of the registration whose link was opened, with exactly the name and password of that
 * registration. On the browser that registered, it also logs in, once. Anywhere else it does not: the link proves that
 * somebody reads the address, but not who. Idempotent otherwise. Source: rules U2 and U4.
 * @throws ProblemError `auth.invalid_token`, `auth.registration_replaced`, `auth.registration_closed`,
 *   `auth.invitation_invalid`, `request.too_many`
 */
export async function confirmRegistration(
  deps: RegistrationsDeps,
  caller: Caller,
  token: string,
): Promise<ConfirmedRegistration> {
  const { client } = caller
  refuseIfOverBudget(
    await spendClientBudget(deps.budgets, { budget: 'link_checks', client, what: 'registration' }),
  )
  const link = readRegistrationToken(deps.signer, token, deps.now())
  if (link === null) throw new ProblemError('auth.invalid_token')
  try {
    await inTransaction(deps.db, async (trx) => {
      const registration = await consumeRegistration(trx, link.registrationId)
      if (registration === null) return refuseGoneRegistration(trx, link)
      const isInvitedNow = await redeemInvitation(deps, trx, registration.email)
      await insertAccount(trx, registration)
      if (isInvitedNow) {
        const ownerId = registration.id as OwnerId // The id of the account that was just inserted.
        await recordOperatorAction(trx, ownerId, { at: new Date(deps.now()), action: 'invited' })
      }
      await insertSetup(trx, registration.id, new Date(deps.now()))
      await allowFirstLogin(trx, { userId: registration.id, expiresAt: new Date(link.expiresAtMs) })
      await deleteEarlierRegistrations(trx, registration)
    })
  } catch (error) {
    // Another owner has changed their email address to this one in the meantime.
    if (isUniqueViolation(error)) throw new ProblemError('auth.invalid_token')
    throw error
  }
  return logInOnRegisteringBrowser(deps, caller, link.registrationId)
}

/**
 * Uses up the invitation of an address and returns whether there was one. REGISTRATION may have changed since the
 * registration, so it is checked again. Source: rules U35 and U36.
 * @throws ProblemError `auth.registration_closed`, `auth.invitation_invalid`
 */
async function redeemInvitation(
  { now, registration }: Pick<RegistrationsDeps, 'now' | 'registration'>,
  trx: Trx,
  email: string,
): Promise<boolean> {
  if (registration === 'closed') throw new ProblemError('auth.registration_closed')
  const isInvitedNow = await consumeInvitation(trx, email, new Date(now()))
  if (registration === 'invited' && !isInvitedNow) throw new ProblemError('auth.invitation_invalid')
  return isInvitedNow
}

/**
 * Logs the owner of a confirmed registration in, if this browser registered and nobody is logged in on it. A link
 * scanner or the reader of a forwarded email has no cookie of the registration, so they do not use the login up.
 */
async function logInOnRegisteringBrowser(
  deps: RegistrationsDeps,
  caller: Caller,
  userId: string,
): Promise<ConfirmedRegistration> {
  const nobody = { user: null, cookies: [] }
  if (!deps.registrationCookies.isFrom(caller.cookie, userId)) return nobody
  if ((await deps.auth.findSession(caller.cookie, false)) !== null) return nobody
  if (!(await consumeFirstLogin(deps.db, { userId, now: new Date(deps.now()) }))) return nobody
  const { session, cookies } = await signInProvenOwner(deps, caller, userId)
  if (session.user === null) return nobody
  return { user: session.user, cookies: [...cookies, deps.registrationCookies.end()] }
}

/**
 * Refuses a link whose registration no longer exists.
 * @throws ProblemError unless this link has already created the account
 */
async function refuseGoneRegistration(
  trx: Trx,
  { registrationId: id, email }: RegistrationLink,
): Promise<void> {
  if (await isRegistrationConfirmed(trx, { id, email })) return
  throw new ProblemError(
    (await isAddressRegistered(trx, email)) ? 'auth.registration_replaced' : 'auth.invalid_token',
  )
}

/** The content of a confirmation link: the registration and the expiry time. */
type RegistrationLink = {
  readonly registrationId: string
  readonly email: string
  readonly expiresAtMs: number
}

const PURPOSE = 'registration link'
const content = z.tuple([z.uuid(), z.string(), z.number()])

/** Creates the token of the link. It is signed and not stored, so the same registration can be emailed again. */
export function writeRegistrationToken(
  signer: Signer,
  { registrationId, email, expiresAtMs }: RegistrationLink,
): string {
  const text = JSON.stringify([registrationId, email, expiresAtMs])
  return `${Buffer.from(text).toString('base64url')}.${signer.sign(text, PURPOSE)}`
}

/** Parses a token. Returns null when its signature is invalid or it has expired. */
function readRegistrationToken(signer: Signer, token: string, nowMs: number): RegistrationLink | null {
  const [encoded = '', signature = ''] = token.split('.')
  const text = Buffer.from(encoded, 'base64url').toString()
  if (!signer.isGenuine(text, signature, PURPOSE)) return null
  // The signature is valid, so the product itself wrote this text.
  const [registrationId, email, expiresAtMs] = content.parse(JSON.parse(text))
  return expiresAtMs > nowMs ? { registrationId, email, expiresAtMs } : null
}
