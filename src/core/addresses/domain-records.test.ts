import { describe, expect, test } from 'vitest'
import {
  checkOwnershipRecord,
  checkTargetRecords,
  type DnsAnswer,
  type DomainTargets,
  type ResolvedName,
  toOverallVerdict,
} from './domain-records.ts'

const CHALLENGE = 'meridian-0123'
const NOTHING = { outcome: 'none' } as const
const SILENCE = { outcome: 'unknown' } as const
const texts = (...found: string[]): DnsAnswer<readonly string[]> => ({ outcome: 'found', found })
const prove = (...answers: DnsAnswer<readonly string[]>[]) =>
  checkOwnershipRecord({ host: 'osei.org', challenge: CHALLENGE }, answers)

describe('the proof record (rules I6 and I13)', () => {
  test('is below the domain, and other texts at the name are ignored', () => {
    expect(prove(texts('v=spf1 -all', CHALLENGE), texts(CHALLENGE))).toMatchObject({
      type: 'TXT',
      name: '_meridian-challenge.osei.org',
      wanted: [CHALLENGE],
      found: ['v=spf1 -all', CHALLENGE],
      verdict: 'correct',
    })
  })

  test.each([
    ['missing', [NOTHING, NOTHING]],
    ['wrong', [texts('meridian-9999'), texts('meridian-9999')]],
    ['wrong', [texts(`${CHALLENGE} `), texts(`"${CHALLENGE}"`)]],
    ['wrong', [texts('a'.repeat(5_000)), texts('a'.repeat(5_000))]],
    ['spreading', [texts(CHALLENGE), NOTHING]],
    ['spreading', [texts(CHALLENGE), texts('other'), texts(CHALLENGE)]],
    ['unknown', [SILENCE, SILENCE]],
    ['unknown', [texts(CHALLENGE), SILENCE]],
    ['unknown', [texts(CHALLENGE), SILENCE, SILENCE]],
    ['correct', [texts(CHALLENGE), texts(CHALLENGE), SILENCE]],
    ['missing', [NOTHING, NOTHING, SILENCE]],
    ['unknown', []],
  ] as const)('is %s', (verdict, answers) => {
    expect(prove(...answers).verdict).toBe(verdict)
  })

  test('shows a limited part of long values', () => {
    const { found } = prove(texts(...Array.from({ length: 100 }, (_, i) => `${i}${'a'.repeat(5_000)}`)))
    expect(found).toHaveLength(10)
    expect(Math.max(...found.map((text) => text.length))).toBe(200)
  })
})

const TARGETS: DomainTargets = {
  name: 'domains.meridian.example',
  addresses: ['192.0.2.10', '192.0.2.11', '2001:db8::10'],
}
const at = (names: string[], addresses: string[] = []): DnsAnswer<ResolvedName> => ({
  outcome: 'found',
  found: { names, addresses },
})

describe('the records of a subdomain (rule I8)', () => {
  const judge = (...answers: DnsAnswer<ResolvedName>[]) =>
    checkTargetRecords({ host: 'book.osei.org', isRoot: false }, TARGETS, answers)[0]

  test.each([
    ['correct', at(['domains.meridian.example'], ['192.0.2.10'])],
    ['correct', at(['edge.osei.org', 'domains.meridian.example'])],
    // Some DNS providers return IP addresses instead of the CNAME record (flattening).
    ['correct', at([], ['192.0.2.11', '2001:db8::10'])],
    ['wrong', at(['shop.example'], ['198.51.100.1'])],
    ['wrong', at([], ['192.0.2.10', '198.51.100.1'])],
    ['wrong', at(['evil-domains.meridian.example.attacker.test'])],
    ['missing', NOTHING],
    ['unknown', SILENCE],
  ] as const)('is %s', (verdict, answer) => {
    expect(judge(answer)).toMatchObject({ type: 'CNAME', wanted: ['domains.meridian.example'], verdict })
  })

  test('show the first name of the CNAME chain, which the owner has set', () => {
    expect(judge(at(['edge.osei.org', 'shop.example'], ['198.51.100.1']))?.found).toEqual(['edge.osei.org'])
    expect(judge(at([], ['198.51.100.1']))?.found).toEqual(['198.51.100.1'])
  })
})

describe('the records of a root domain (rule I8)', () => {
  const judge = (...answers: DnsAnswer<ResolvedName>[]) =>
    checkTargetRecords({ host: 'osei.org', isRoot: true }, TARGETS, answers)
  const verdicts = (...answers: DnsAnswer<ResolvedName>[]) =>
    judge(...answers).map(({ type, verdict }) => `${type} ${verdict}`)

  test.each([
    [['A correct', 'AAAA correct'], at([], ['192.0.2.10'])],
    [['A correct', 'AAAA correct'], at([], ['192.0.2.10', '192.0.2.11', '2001:db8::10'])],
    [['A wrong', 'AAAA correct'], at([], ['192.0.2.10', '198.51.100.1'])],
    // Half of the customers would reach another server.
    [['A correct', 'AAAA wrong'], at([], ['192.0.2.10', '2001:db8::99'])],
    [['A missing', 'AAAA correct'], at([], ['2001:db8::10'])],
    [['A missing', 'AAAA correct'], NOTHING],
  ])('%j', (expected, answer) => {
    expect(verdicts(answer)).toEqual(expected)
  })

  test('an installation without IPv6 requires no AAAA record, and reports one that points elsewhere', () => {
    const targets = { ...TARGETS, addresses: ['192.0.2.10'] }
    const judged = (answer: DnsAnswer<ResolvedName>) =>
      checkTargetRecords({ host: 'osei.org', isRoot: true }, targets, [answer])
    expect(judged(at([], ['192.0.2.10'])).map(({ type }) => type)).toEqual(['A'])
    expect(judged(at([], ['192.0.2.10', '2001:db8::99']))[1]).toMatchObject({
      type: 'AAAA',
      wanted: [],
      verdict: 'wrong',
    })
  })
})

test('the overall verdict is the worst verdict, and unknown without records', () => {
  const record = (verdict: 'correct' | 'wrong' | 'unknown') => ({ ...prove(), verdict })
  expect(toOverallVerdict([record('correct'), record('correct')])).toBe('correct')
  expect(toOverallVerdict([record('correct'), record('wrong')])).toBe('wrong')
  expect(toOverallVerdict([record('wrong'), record('unknown')])).toBe('unknown')
  expect(toOverallVerdict([])).toBe('unknown')
})
