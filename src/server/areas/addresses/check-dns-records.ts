import { isRootDomain, toOwnershipRecordName } from '#core/addresses/domain-name.ts'
import {
  checkOwnershipRecord,
  checkTargetRecords,
  type DomainRecord,
} from '#core/addresses/domain-records.ts'
import type { DomainSetup } from './deps.ts'
import type { HostRow } from './host-repository.ts'

/** A custom domain whose DNS records are to be checked. */
type DomainToCheck = Pick<HostRow, 'host' | 'challenge'>

export type DnsCheckResult = {
  readonly proof: DomainRecord
  readonly pointing: readonly DomainRecord[]
}

/**
 * Checks the DNS records of a domain. DNS servers are slow, so never call this inside a transaction. Source: rules I6
 * and I8.
 */
export async function checkDnsRecords(domains: DomainSetup, domain: DomainToCheck): Promise<DnsCheckResult> {
  const [texts, pointings] = await Promise.all([
    domains.dns.listTexts(toOwnershipRecordName(domain.host)),
    domains.dns.listResolvedNames(domain.host),
  ])
  return toCheckResult(domains, domain, { texts, pointings })
}

/** Lists the records that the owner has to set, without checking the current ones. */
export function listRequiredRecords(domains: DomainSetup, domain: DomainToCheck): DomainRecord[] {
  const { proof, pointing } = toCheckResult(domains, domain, { texts: [], pointings: [] })
  return [proof, ...pointing]
}

function toCheckResult(
  { names, targets }: DomainSetup,
  { host, challenge }: DomainToCheck,
  answers: {
    readonly texts: Parameters<typeof checkOwnershipRecord>[1]
    readonly pointings: Parameters<typeof checkTargetRecords>[2]
  },
): DnsCheckResult {
  const isRoot = isRootDomain(host, names.findPublicSuffix(host))
  return {
    // A table constraint guarantees that every custom domain has a challenge.
    proof: checkOwnershipRecord({ host, challenge: challenge ?? '' }, answers.texts),
    pointing: checkTargetRecords({ host, isRoot }, targets, answers.pointings),
  }
}
