import { isRootDomain, toChallengeName } from '#core/publishing/domain-name.ts'
import { checkPointingRecords, checkProofRecord, type DomainRecord } from '#core/publishing/domain-records.ts'
import type { DomainSetup } from './deps.ts'
import type { HostRow } from './host-repository.ts'

/** A custom domain, as far as its records are concerned. */
export type DomainToCheck = Pick<HostRow, 'host' | 'challenge'>

export type DnsCheckResult = {
  readonly proof: DomainRecord
  readonly pointing: readonly DomainRecord[]
}

/** Looks at the records of a domain. DNS servers are slow, so it is never done inside a transaction. Source: rules I6 and I8. */
export async function checkDnsRecords(domains: DomainSetup, domain: DomainToCheck): Promise<DnsCheckResult> {
  const [texts, pointings] = await Promise.all([
    domains.dns.listTexts(toChallengeName(domain.host)),
    domains.dns.listPointings(domain.host),
  ])
  return toLook(domains, domain, { texts, pointings })
}

/** What has to be set, without a look at what is there. */
export function listRequiredRecords(domains: DomainSetup, domain: DomainToCheck): DomainRecord[] {
  const { proof, pointing } = toLook(domains, domain, { texts: [], pointings: [] })
  return [proof, ...pointing]
}

function toLook(
  { names, targets }: DomainSetup,
  { host, challenge }: DomainToCheck,
  answers: {
    readonly texts: Parameters<typeof checkProofRecord>[1]
    readonly pointings: Parameters<typeof checkPointingRecords>[2]
  },
): DnsCheckResult {
  const isRoot = isRootDomain(host, names.findPublicSuffix(host))
  return {
    // A check of the table makes sure that every custom domain has one.
    proof: checkProofRecord({ host, challenge: challenge ?? '' }, answers.texts),
    pointing: checkPointingRecords({ host, isRoot }, targets, answers.pointings),
  }
}
