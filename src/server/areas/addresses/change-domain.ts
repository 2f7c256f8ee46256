import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { CalendarDomain, changeDomainBody } from '#contract/addresses/domains.ts'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { validateDomain } from '#core/addresses/domain-name.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { BudgetUse } from '#server/platform/budgets/budgets.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import type { CertificateState } from '#server/platform/db/schema.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { tryReservePath, writeDomainSettings } from '#server/records/calendars/repository.ts'
import type { OwnCalendar } from '#server/records/calendars/to-calendar.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { refuseFeatureOutsidePlan } from '#server/records/subscription/use-cases.ts'
import { CERTIFICATE_JOB, toInitialCertificateState } from './certificate-job.ts'
import type { AddressesDeps, DomainSetup } from './deps.ts'
import { describeDomain, hasCustomDomains } from './describe-domain.ts'
import { findOwnSubdomain, type Subdomain } from './find-subdomain.ts'
import {
  claimDomain,
  findAccountCreationTime,
  findCurrentHost,
  retireHost,
  tryClaimSubdomain,
} from './host-repository.ts'
import { listSubdomains } from './list-subdomains.ts'

/** The requested address, after validation. */
type Wanted =
  | { readonly type: 'path'; readonly path: string }
  | { readonly type: 'subdomain' }
  | { readonly type: 'custom'; readonly host: string }

/** Length of a challenge in bytes; 128 bits cannot be guessed. */
const CHALLENGE_BYTES = 16

/**
 * Creates the text of a TXT record that proves ownership of a domain. Each calendar gets a different one. Source: rule
 * I6.
 */
export function createDomainChallenge(): string {
  return `meridian-${randomBytes(CHALLENGE_BYTES).toString('hex')}`
}

/**
 * Changes the address of a calendar. Its current host is retired first. Source: rules I2, I3, I4 and I14.
 * @throws ProblemError `calendar.*`, `domain.*`, `request.too_many`
 */
export async function changeDomain(
  deps: AddressesDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: z.output<typeof changeDomainBody>,
): Promise<CalendarDomain> {
  await getOwnCalendar(deps, ownerId, calendarId)
  if (body.type === 'custom') await refuseFeatureOutsidePlan(deps, ownerId, 'custom_domains')
  const wanted = checkRequest(deps.domains, body)
  await spendBudgets(deps, { ownerId, calendarId, wanted })
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    const calendar = await getOwnCalendar({ ...deps, db: trx }, ownerId, calendarId)
    await carryOut(deps, trx, { calendar, wanted, at })
  })
  return describeDomain(deps, ownerId, calendarId)
}

/**
 * Retires the subdomain or domain of a calendar. The calendar's path stays. Source: rule I14.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function deleteDomain(
  deps: AddressesDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<CalendarDomain> {
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    const { domain_settings } = await getOwnCalendar({ ...deps, db: trx }, ownerId, calendarId)
    const current = await findCurrentHost(trx, calendarId)
    if (current !== null) await retireHost(trx, current)
    const { path } = domain_settings
    await writeDomainSettings(
      trx,
      calendarId,
      { type: 'path', path, subdomain: null, customDomain: null },
      at,
    )
  })
  return describeDomain(deps, ownerId, calendarId)
}

/**
 * Rate limits a change. Returning to the booking link or to the calendar's own subdomain is always allowed. Source:
 * rule I12.
 * @throws ProblemError `request.too_many`, `domain.subdomains_spent`
 */
async function spendBudgets(
  deps: Pick<AddressesDeps, 'db' | 'now' | 'domains' | 'budgets'>,
  {
    ownerId,
    calendarId,
    wanted,
  }: { readonly ownerId: OwnerId; readonly calendarId: string; readonly wanted: Wanted },
): Promise<void> {
  if (wanted.type === 'path' && wanted.path === '') return
  refuseIfOverBudget(await deps.budgets.spend([{ budget: 'domain_claims', subject: ownerId }]))
  if (wanted.type !== 'subdomain') return
  if ((await findOwnSubdomain(deps.domains, deps.db, calendarId)) !== null) return
  const uses = await listSubdomainUses(deps, ownerId)
  const spent = await deps.budgets.spend(uses)
  if (spent === null) return
  // Subtract the use, because a refused subdomain does not count.
  await deps.budgets.uncount(
    uses.slice(
      0,
      uses.findIndex(({ budget }) => budget === spent.budget),
    ),
  )
  if (spent.budget === 'subdomains_owner') refuseIfOverBudget(spent)
  throw new ProblemError('domain.subdomains_spent', [], spent.waitSeconds)
}

/** Age below which accounts share only a part of the installation's limit for subdomains. */
const NEW_ACCOUNT_MS = 14 * DAY_MS

/**
 * Lists the rate limits for a new subdomain. They keep a few owners from using up the installation's limit. Source:
 * rule I12.
 */
async function listSubdomainUses(
  { db, now, budgets }: Pick<AddressesDeps, 'db' | 'now' | 'budgets'>,
  ownerId: OwnerId,
): Promise<BudgetUse[]> {
  const ofAll = (budget: BudgetUse['budget']): BudgetUse => ({ budget, subject: 'installation' })
  const first: BudgetUse = { budget: 'subdomains_first', subject: ownerId }
  const isFurther = (await budgets.find([first])) !== null
  const isNew = now() - (await findAccountCreationTime(db, ownerId)).getTime() < NEW_ACCOUNT_MS
  return [
    { budget: 'subdomains_owner', subject: ownerId },
    isFurther ? ofAll('subdomains_further') : first,
    ...(isNew ? [ofAll('subdomains_new_accounts')] : []),
    ofAll('subdomains_installation'),
  ]
}

/**
 * Validates the requested address.
 * @throws ProblemError `domain.*`
 */
function checkRequest(domains: DomainSetup, body: z.output<typeof changeDomainBody>): Wanted {
  if (body.type === 'path') return { type: 'path', path: body.path }
  if (body.type === 'subdomain') {
    if (domains.subdomainHost === null) throw new ProblemError('domain.subdomain_not_offered')
    return { type: 'subdomain' }
  }
  if (!hasCustomDomains(domains)) throw new ProblemError('domain.not_offered')
  const judged = validateDomain(body.custom_domain, domains)
  if (!judged.ok) throw refuseAt('custom_domain', judged.reason)
  if (judged.isRoot && domains.targets.addresses.length === 0)
    throw refuseAt('custom_domain', 'domain.root_not_offered')
  return { type: 'custom', host: judged.host }
}

/** Builds a refusal that is shown at its form field. */
function refuseAt(path: 'path' | 'custom_domain', code: ProblemCode): ProblemError {
  return new ProblemError(code, [{ path, message: PROBLEMS[code].title }])
}

type Change = { readonly calendar: OwnCalendar; readonly wanted: Wanted; readonly at: Date }

async function carryOut(
  { jobs, domains }: Pick<AddressesDeps, 'jobs' | 'domains'>,
  trx: Trx,
  { calendar, wanted, at }: Change,
): Promise<void> {
  const { id } = calendar
  const before = calendar.domain_settings
  const current = await findCurrentHost(trx, id)
  const isKept =
    current !== null &&
    current.kind === wanted.type &&
    (wanted.type === 'subdomain' || (wanted.type === 'custom' && current.host === wanted.host))
  // Keep the host and its verification when the choice is unchanged.
  if (isKept) return
  if (current !== null) await retireHost(trx, current)
  const kept = { path: before.path, subdomain: null, customDomain: null }
  switch (wanted.type) {
    case 'path': {
      const path = await reservePath(trx, calendar, wanted.path)
      await writeDomainSettings(trx, id, { ...kept, type: 'path', path }, at)
      return
    }
    case 'subdomain': {
      const own = await findOwnSubdomain(domains, trx, id)
      const subdomains = own === null ? listSubdomains(domains, calendar) : [own]
      const certificate = toInitialCertificateState(domains)
      const { label, host } = await reserveSubdomain(trx, { calendar, subdomains, certificate, at })
      await writeDomainSettings(trx, id, { ...kept, type: 'subdomain', subdomain: label }, at)
      await jobs.insert(trx, CERTIFICATE_JOB, [{ host }])
      return
    }
    case 'custom': {
      await claimDomain(trx, { host: wanted.host, calendarId: id, challenge: createDomainChallenge(), at })
      await writeDomainSettings(trx, id, { ...kept, type: 'custom', customDomain: wanted.host }, at)
    }
  }
}

/**
 * Reserves a path, unless it is the booking link's own slug, which needs no reservation.
 * @throws ProblemError `calendar.slug_taken`
 */
async function reservePath(trx: Trx, { id, slug }: OwnCalendar, path: string): Promise<string | null> {
  if (path === '' || path === slug) return null
  if (!(await tryReservePath(trx, id, path))) throw refuseAt('path', 'calendar.slug_taken')
  return path
}

/**
 * Reserves a subdomain.
 * @throws ProblemError `domain.subdomain_taken`
 */
async function reserveSubdomain(
  trx: Trx,
  {
    calendar,
    subdomains,
    ...rest
  }: {
    readonly calendar: OwnCalendar
    readonly subdomains: readonly Subdomain[]
    readonly certificate: CertificateState
    readonly at: Date
  },
): Promise<Subdomain> {
  for (const subdomain of subdomains) {
    const { host } = subdomain
    if (await tryClaimSubdomain(trx, { host, calendarId: calendar.id, ...rest })) return subdomain
  }
  throw new ProblemError('domain.subdomain_taken')
}
