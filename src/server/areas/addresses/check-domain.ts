import type { DomainVerification } from '#contract/addresses/domains.ts'
import { toOverallVerdict } from '#core/addresses/domain-records.ts'
import {
  type DomainStatus,
  decideDomainStatus,
  type VerifiedDomainState,
} from '#core/addresses/domain-status.ts'
import type { DomainMailReason } from '#server/messages/emails/domain-mail.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { refuseFeatureOutsidePlan } from '#server/records/subscription/use-cases.ts'
import { CERTIFICATE_JOB, toInitialCertificateState } from './certificate-job.ts'
import { createDomainChallenge } from './change-domain.ts'
import { checkDnsRecords, type DnsCheckResult } from './check-dns-records.ts'
import type { AddressesDeps } from './deps.ts'
import { describeDomain } from './describe-domain.ts'
import {
  activateHost,
  deleteHost,
  findCurrentHost,
  findHost,
  type HostRow,
  lockDomain,
  lockHost,
  lockOtherHostsOfDomain,
  revokeDomain,
  storeChallenges,
  storeCheckTime,
  writeDomainStatus,
} from './host-repository.ts'
import { DOMAIN_MAIL_JOB } from './job-definitions.ts'

type CheckDeps = Pick<AddressesDeps, 'db' | 'now' | 'domains' | 'jobs'>

/**
 * Checks the DNS records of a calendar's claimed domain, and activates it once they are correct. A domain that is
 * already active gets its daily check. Source: rules I6, I8 and I11.
 * @throws ProblemError `calendar.*`, `domain.*`, `request.too_many`
 */
export async function verifyDomain(
  deps: AddressesDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<DomainVerification> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const current = await findCurrentHost(deps.db, calendarId)
  if (current === null || current.kind !== 'custom') throw new ProblemError('domain.nothing_to_verify')
  await refuseFeatureOutsidePlan(deps, ownerId, 'custom_domains')
  // Limit the number of checks per owner. Source: rule I12.
  refuseIfOverBudget(await deps.budgets.spend([{ budget: 'domain_checks', subject: ownerId }]))
  const startedAt = new Date(deps.now())
  const look = await checkDnsRecords(deps.domains, current)
  const state = await inTransaction(deps.db, async (trx) => {
    await lockDomain(trx, current.host)
    await lockOwnCalendar(trx, ownerId, calendarId)
    const host = await lockHost(trx, current.id)
    if (host === null || host.challenge !== current.challenge)
      throw new ProblemError('domain.changed_meanwhile')
    return applyCheckResult(deps, trx, { host, look, startedAt })
  })
  // Show the TXT record only while it is needed: the owner may remove it once the domain is verified.
  const records = state === 'pending' ? [look.proof, ...look.pointing] : look.pointing
  const domain = await describeDomain(deps, ownerId, calendarId, records)
  return { verified: domain.state === 'live' && toOverallVerdict(look.pointing) === 'correct', domain }
}

/** Runs the daily check of a domain in use. Source: rule I10. */
export async function checkDomain(deps: CheckDeps, id: string): Promise<void> {
  const seen = await findHost(deps.db, id)
  if (seen === null || !isProven(seen.state)) return
  const startedAt = new Date(deps.now())
  const look = await checkDnsRecords(deps.domains, seen)
  await inTransaction(deps.db, async (trx) => {
    await lockDomain(trx, seen.host)
    const host = await lockHost(trx, id)
    // The domain was retired or lost in the meantime.
    if (host === null || !isProven(host.state)) return
    await applyCheckResult(deps, trx, { host, look, startedAt })
  })
}

type Look = { readonly host: HostRow; readonly look: DnsCheckResult; readonly startedAt: Date }

/**
 * Stores the result of a check.
 * @returns the state of the host afterwards
 */
async function applyCheckResult(
  deps: CheckDeps,
  trx: Trx,
  { host, look, startedAt }: Look,
): Promise<HostRow['state']> {
  const pointing = toOverallVerdict(look.pointing)
  const now = new Date(deps.now())
  const { id, state } = host
  if (isProven(state)) {
    const failingSinceMs = host.failing_since?.getTime() ?? null
    const standing = decideDomainStatus({ state, failingSinceMs }, pointing, now.getTime())
    await writeOutcome(deps, trx, { host, standing, now })
    return standing.state
  }
  if (state !== 'pending') throw new ProblemError('domain.changed_meanwhile')
  if (look.proof.verdict !== 'correct' || pointing !== 'correct') {
    await storeCheckTime(trx, id, now)
    return state
  }
  await releaseFromOtherHosts(deps, trx, { host, startedAt, now })
  await activateHost(trx, id, { certificate: toInitialCertificateState(deps.domains), at: now })
  await deps.jobs.insert(trx, CERTIFICATE_JOB, [{ host: host.host }])
  return 'live'
}

async function writeOutcome(
  deps: CheckDeps,
  trx: Trx,
  { host, standing, now }: { readonly host: HostRow; readonly standing: DomainStatus; readonly now: Date },
): Promise<void> {
  // A host that belongs to an earlier choice is deleted. The domain of the current choice stays claimed, so that it can
  // be verified again.
  if (host.state === 'retired' && standing.state === 'released') await deleteHost(trx, host.id)
  else await writeDomainStatus(trx, host.id, standing, now)
  if (standing.tell !== null) await queueMail(deps, trx, { host, occasion: standing.tell, now })
}

/**
 * Gives the domain to the calendar that verified it last: another calendar that had the domain loses it, and calendars
 * that have only claimed it get a new challenge. If two calendars verify the domain at the same time, the first to be
 * activated keeps it; the other must try again, because its DNS result is older. Source: rule I11.
 * @throws ProblemError `domain.changed_meanwhile`
 */
async function releaseFromOtherHosts(
  deps: CheckDeps,
  trx: Trx,
  { host, startedAt, now }: { readonly host: HostRow; readonly startedAt: Date; readonly now: Date },
): Promise<void> {
  const others = await lockOtherHostsOfDomain(trx, host)
  for (const other of others.filter(({ state }) => isProven(state))) {
    if (other.verified_at !== null && other.verified_at > startedAt) {
      throw new ProblemError('domain.changed_meanwhile')
    }
    if (other.calendar_id === null || other.state === 'retired') await deleteHost(trx, other.id)
    else {
      await revokeDomain(trx, other.id)
      await queueMail(deps, trx, { host: other, occasion: 'taken', now })
    }
  }
  const claims = others.filter(({ state }) => state === 'pending')
  await storeChallenges(
    trx,
    claims.map(({ id }) => ({ id, challenge: createDomainChallenge() })),
  )
}

function isProven(state: HostRow['state']): state is VerifiedDomainState {
  return state === 'live' || state === 'failing' || state === 'retired'
}

/** Queues an email to the owner of a domain. If the calendar was deleted, nobody is notified. */
async function queueMail(
  { jobs }: Pick<CheckDeps, 'jobs'>,
  trx: Trx,
  {
    host,
    occasion,
    now,
  }: { readonly host: HostRow; readonly occasion: DomainMailReason; readonly now: Date },
): Promise<void> {
  const { id, calendar_id: calendarId, host: domain } = host
  if (calendarId === null) return
  await jobs.insert(trx, DOMAIN_MAIL_JOB, [
    { hostId: id, calendarId, domain, occasion, toldAt: now.toISOString() },
  ])
}
