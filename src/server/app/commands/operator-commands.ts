import { emailSchema } from '#contract/accounts/sessions.ts'
import { PLANS, type PlanTier } from '#core/plans/plan.ts'
import { listInvitations } from '#server/areas/accounts/registrations/invitation-repository.ts'
import { inviteOwner } from '#server/areas/accounts/registrations/invite.ts'
import { listOwners } from '#server/areas/accounts/registrations/owner-repository.ts'
import { lockTwoFactor } from '#server/areas/accounts/security/repository.ts'
import { turnOffTwoFactors } from '#server/areas/accounts/security/two-factor-use-cases.ts'
import { undoUnlock, unlockAccount } from '#server/areas/accounts/security/unlock.ts'
import { findUserId } from '#server/areas/accounts/sessions/repository.ts'
import { describePlans } from '#server/areas/plans/billing/describe-plans.ts'
import { givePlan } from '#server/areas/plans/billing/give-plan.ts'
import { sendFailedMessagesAgain } from '#server/messages/queue/send-failed-again.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { recordOperatorAction } from '#server/records/operator-actions/repository.ts'
import type { RouteDeps } from '../routes.ts'
import { CommandError } from './command-error.ts'

type Command = {
  /** The arguments, as the help shows them. */
  readonly usage: string
  /** Returns the lines to print. @throws CommandError when it cannot be carried out */
  readonly run: (deps: RouteDeps, args: readonly string[]) => Promise<string[]>
}

const MAX_OWNERS = 1_000

/** What the operator can do to accounts, with the product's own functions. Source: rule U37. */
const COMMANDS: Readonly<Record<string, Command>> = {
  plans: { usage: '', run: (deps) => describePlans(deps) },
  owners: { usage: '[TEXT]', run: (deps, [text = '']) => describeOwners(deps, text) },
  invite: { usage: 'EMAIL', run: (deps, [email]) => invite(deps, toEmail(email)) },
  unlock: {
    usage: 'EMAIL [undo]',
    run: async (deps, [email, undo]) => {
      const owner = await getOwner(deps, email)
      if (undo === undefined) return unlock(deps, owner)
      if (undo !== 'undo') throw new CommandError(`Say "undo" instead of "${undo}", or leave it out.`)
      const isUndone = await inTransaction(deps.db, (trx) => undoUnlock(deps, trx, owner.ownerId))
      if (!isUndone) throw new CommandError(`${owner.email} was not unlocked before.`)
      return [`The counts of ${owner.email} are as they were before it was unlocked.`]
    },
  },
  'remove-second-factor': {
    usage: 'EMAIL',
    run: async (deps, [email]) => removeSecondFactor(deps, await getOwner(deps, email)),
  },
  'give-plan': {
    usage: 'EMAIL professional|business|enterprise|default',
    run: async (deps, [email, plan]) => {
      const owner = await getOwner(deps, email)
      const tier = toTier(plan)
      const given = await inTransaction(deps.db, (trx) => givePlan(deps, trx, { ...owner, tier }))
      if (!given)
        throw new CommandError(
          `${owner.email} pays for a plan at Stripe. End that first; nothing has changed.`,
        )
      return [`${owner.email} has the plan ${PLANS[tier ?? deps.defaultTier].name} now.`]
    },
  },
  'resend-mail': {
    usage: 'EMAIL',
    run: async (deps, [email]) => resendMail(deps, await getOwner(deps, email)),
  },
}

/**
 * Carries out a command of the operator: its name and arguments.
 * @throws CommandError when it is unknown or cannot be carried out
 */
export async function runOperatorCommand(deps: RouteDeps, words: readonly string[]): Promise<string[]> {
  const [name = '', ...args] = words
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new CommandError(describeCommands())
  const expected = command.usage.split(' ').filter((word) => word !== '')
  if (args.length > expected.length || args.length < expected.filter((word) => !word.startsWith('[')).length)
    throw new CommandError(`Say it so: ${toLine(name)}`)
  deps.log.info({ command: name }, 'operator command')
  return command.run(deps, args)
}

/** Lists all commands, for the command line. */
export function describeCommands(): string {
  const lines = [...Object.keys(COMMANDS).map(toLine), 'npm run operator -- accept-lost-key [yes]']
  return ['Say what to do:', ...lines.map((line) => `  ${line}`)].join('\n')
}

function toLine(name: string): string {
  return `npm run operator -- ${name} ${COMMANDS[name]?.usage ?? ''}`.trimEnd()
}

type Account = { readonly ownerId: OwnerId; readonly email: string }

function toEmail(typed: string | undefined): string {
  const email = emailSchema.safeParse(typed)
  if (!email.success) throw new CommandError(`${typed} is not an email address.`)
  return email.data
}

async function getOwner({ db }: RouteDeps, typed: string | undefined): Promise<Account> {
  const email = toEmail(typed)
  const id = await findUserId(db, email)
  if (id === null) {
    throw new CommandError(`No account has the address ${email}. "npm run operator -- owners" lists them.`)
  }
  return { ownerId: id as OwnerId, email } // The id of an account.
}

async function describeOwners(deps: RouteDeps, text: string): Promise<string[]> {
  const now = new Date(deps.now())
  const [owners, invitations] = [
    await listOwners(deps.db, { text, now, limit: MAX_OWNERS }),
    await listInvitations(deps.db, now),
  ]
  const lines = owners.map(
    ({ email, full_name, created_at, tier, has_two_factor, calendars }) =>
      `  ${email}  ${full_name}  since ${toDay(created_at)}  ${PLANS[tier ?? deps.defaultTier].name}  calendars: ${calendars}${has_two_factor ? '  second factor' : ''}`,
  )
  const invited = invitations.filter(({ email }) => email.includes(text.toLowerCase()))
  return [
    `Registration: ${deps.registration}`,
    `Owners: ${owners.length}${owners.length === MAX_OWNERS ? ' or more; name a part of the address' : ''}`,
    ...lines,
    `Open invitations: ${invited.length}`,
    ...invited.map(({ email, expires_at }) => `  ${email}  until ${toDay(expires_at)}`),
  ]
}

async function invite(deps: RouteDeps, email: string): Promise<string[]> {
  if (deps.registration === 'closed') {
    throw new CommandError('REGISTRATION=closed lets nobody in. Set REGISTRATION=invited and start again.')
  }
  const expiresAt = await inviteOwner(deps, email)
  if (expiresAt === null) throw new CommandError(`${email} has an account already.`)
  return [`${email} gets an email with the invitation, which is valid until ${toDay(expiresAt)}.`]
}

async function unlock(deps: RouteDeps, owner: Account): Promise<string[]> {
  const count = await inTransaction(deps.db, (trx) => unlockAccount(deps, trx, owner))
  const found = count === 0 ? 'Nothing was counted against it.' : 'Its owner can try again at once.'
  return [
    `${owner.email} is unlocked. ${found}`,
    `Was it the wrong one? npm run operator -- unlock ${owner.email} undo`,
  ]
}

async function removeSecondFactor(deps: RouteDeps, { ownerId, email }: Account): Promise<string[]> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockTwoFactor(trx, ownerId))) throw new CommandError(`${email} has no second factor.`)
    await turnOffTwoFactors(deps, trx, [ownerId])
    await recordOperatorAction(trx, ownerId, { at: new Date(deps.now()), action: 'second_factor_removed' })
  })
  return [`The second factor of ${email} is off. Its owner gets an email about it.`]
}

async function resendMail(deps: RouteDeps, { ownerId, email }: Account): Promise<string[]> {
  const { queued, skipped } = await sendFailedMessagesAgain(deps, ownerId)
  const at = new Date(deps.now())
  await recordOperatorAction(deps.db, ownerId, { at, action: 'emails_sent_again', detail: String(queued) })
  return [
    `Emails of ${email} that are sent again: ${queued}`,
    ...(skipped === 0 ? [] : [`Left out, because they no longer match their appointment: ${skipped}`]),
  ]
}

function toTier(plan: string | undefined): Exclude<PlanTier, 'free'> | null {
  if (plan === 'default') return null
  if (plan === 'professional' || plan === 'business' || plan === 'enterprise') return plan
  throw new CommandError(`There is no plan ${plan}: say professional, business, enterprise or default.`)
}

function toDay(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}
