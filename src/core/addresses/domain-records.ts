import { toOwnershipRecordName } from './domain-name.ts'

/** Answer of one DNS server. `none`: the server says that no such record exists. `unknown`: no usable answer. */
export type DnsAnswer<Found> =
  | { readonly outcome: 'found'; readonly found: Found }
  | { readonly outcome: 'none' | 'unknown' }

/** How a name resolves: the CNAME chain in order, and the addresses at its end. */
export type ResolvedName = { readonly names: readonly string[]; readonly addresses: readonly string[] }

/** Where custom domains must point for this installation. */
export type DomainTargets = {
  /** The CNAME target; null when the installation has none and only addresses count. */
  readonly name: string | null
  readonly addresses: readonly string[]
}

/** `spreading`: the servers disagree (propagation). `unknown`: too few servers answered. Source: rule I13. */
export type RecordVerdict = 'correct' | 'missing' | 'wrong' | 'spreading' | 'unknown'

/** A DNS record that the owner has to create, compared with the records found. */
export type DomainRecord = {
  readonly type: 'TXT' | 'CNAME' | 'A' | 'AAAA'
  readonly name: string
  /** The required values; for address records, a single one of them is enough. Empty: no such record may exist. */
  readonly wanted: readonly string[]
  readonly found: readonly string[]
  readonly verdict: RecordVerdict
}

/** Maximum number of found values that are shown per record. */
const MAX_FOUND = 10
/** Maximum length of a found value that is shown, in characters. */
const MAX_FOUND_LENGTH = 200

/**
 * Checks the TXT record that proves ownership of a domain. Other TXT values at the name are ignored. Source: rule I6.
 */
export function checkOwnershipRecord(
  { host, challenge }: { readonly host: string; readonly challenge: string },
  answers: readonly DnsAnswer<readonly string[]>[],
): DomainRecord {
  return {
    type: 'TXT',
    name: toOwnershipRecordName(host),
    wanted: [challenge],
    found: listFound(answers, (texts) => texts),
    verdict: toVerdict(answers, (texts) => texts.includes(challenge)),
  }
}

/**
 * Checks that a domain points to this installation: through a CNAME record, or with only the installation's addresses.
 * Source: rule I8.
 */
export function checkTargetRecords(
  { host, isRoot }: { readonly host: string; readonly isRoot: boolean },
  targets: DomainTargets,
  answers: readonly DnsAnswer<ResolvedName>[],
): DomainRecord[] {
  if (!isRoot && targets.name !== null) return [judgeName(host, targets, targets.name, answers)]
  const ofKind = (type: 'A' | 'AAAA') => judgeAddresses(host, type, targets, answers)
  const [four, six] = [ofKind('A'), ofKind('AAAA')]
  // An installation without an address of a kind, such as IPv6, requires no such record. If one exists, it points
  // elsewhere and is shown as wrong.
  return [four, six].filter(({ wanted, found }) => wanted.length > 0 || found.length > 0)
}

function judgeName(
  host: string,
  targets: DomainTargets,
  target: string,
  answers: readonly DnsAnswer<ResolvedName>[],
): DomainRecord {
  const leadsHere = ({ names, addresses }: ResolvedName) =>
    names.includes(target) ||
    (addresses.length > 0 && addresses.every((one) => targets.addresses.includes(one)))
  return {
    type: 'CNAME',
    name: host,
    wanted: [target],
    found: listFound(answers, ({ names, addresses }) => (names.length > 0 ? names.slice(0, 1) : addresses)),
    verdict: toVerdict(answers, leadsHere),
  }
}

function judgeAddresses(
  host: string,
  type: 'A' | 'AAAA',
  targets: DomainTargets,
  answers: readonly DnsAnswer<ResolvedName>[],
): DomainRecord {
  const isOfKind = (address: string) => address.includes(':') === (type === 'AAAA')
  const wanted = targets.addresses.filter(isOfKind)
  const ofKind = answers.map((answer): DnsAnswer<readonly string[]> => {
    if (answer.outcome !== 'found') return answer
    const found = answer.found.addresses.filter(isOfKind)
    return found.length === 0 ? { outcome: 'none' } : { outcome: 'found', found }
  })
  const verdict = toVerdict(ofKind, (found) => found.every((address) => wanted.includes(address)))
  // An IPv4 address is enough. The AAAA record is optional, but if it exists it must point here.
  const isOptional = type === 'AAAA' && targets.addresses.some((address) => !address.includes(':'))
  return {
    type,
    name: host,
    wanted,
    found: listFound(ofKind, (found) => found),
    verdict: verdict === 'missing' && isOptional ? 'correct' : verdict,
  }
}

function toVerdict<Found>(
  answers: readonly DnsAnswer<Found>[],
  isRight: (found: Found) => boolean,
): RecordVerdict {
  const given = answers.filter(({ outcome }) => outcome !== 'unknown')
  if (given.length * 2 <= answers.length) return 'unknown'
  const right = given.filter((answer) => answer.outcome === 'found' && isRight(answer.found))
  if (right.length === given.length) return 'correct'
  if (right.length > 0) return 'spreading'
  return given.some(({ outcome }) => outcome === 'found') ? 'wrong' : 'missing'
}

function listFound<Found>(
  answers: readonly DnsAnswer<Found>[],
  toValues: (found: Found) => readonly string[],
): string[] {
  const values = answers.flatMap((answer) => (answer.outcome === 'found' ? toValues(answer.found) : []))
  return [...new Set(values.map((value) => value.slice(0, MAX_FOUND_LENGTH)))].slice(0, MAX_FOUND)
}

/** Returns the worst verdict of all records; `unknown` without records. */
export function toOverallVerdict(records: readonly DomainRecord[]): RecordVerdict {
  const order: readonly RecordVerdict[] = ['unknown', 'spreading', 'missing', 'wrong']
  if (records.length === 0) return 'unknown'
  return order.find((verdict) => records.some((record) => record.verdict === verdict)) ?? 'correct'
}
