import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { type DnsServer, type ServedRecord, startDnsServer } from '#tests/support/dns-server.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  TEST_MONDAY,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { checkDomain } from './check-domain.ts'
import { listDomainsDueForCheck } from './host-repository.ts'
import { DOMAIN_CHECK_JOB, DUE_DOMAIN_CHECKS_JOB } from './job-definitions.ts'
import { findServedHost } from './use-cases.ts'

/** These tests check custom domains whose DNS has faults, with real DNS servers on loopback. */
const TARGET = 'domains.meridian.example'

let servers: DnsServer[]
let meridian: TestMeridian
let owner: TestOwner
let calendar: Calendar
let host: string
let challenge: string

beforeAll(async () => {
  servers = [await startDnsServer(), await startDnsServer(), await startDnsServer()]
  meridian = await startMeridian({
    env: {
      DNS_SERVERS: servers.map(({ address }) => address).join(','),
      CUSTOM_DOMAIN_CNAME: TARGET,
      CUSTOM_DOMAIN_IPS: '192.0.2.10',
    },
  })
})
afterAll(async () => {
  await meridian.stop()
  await Promise.all(servers.map((server) => server.close()))
})
beforeEach(async () => {
  meridian.clock.ms = TEST_MONDAY
  meridian.mails.length = 0
  for (const server of servers) server.behave('good')
  owner = await makeOwner(meridian, { tier: 'professional' })
  calendar = await makeCalendar(meridian, owner)
  host = `book.${randomUUID()}.com`
  const claimed = await ask('PUT', { type: 'custom', custom_domain: host })
  challenge = claimed.json().records[0].wanted[0]
})

function ask(method: 'GET' | 'PUT' | 'POST', payload?: object) {
  const path = `/api/calendars/${calendar.id}/domain${method === 'POST' ? '/verification' : ''}`
  return meridian.request({ method, url: path, cookie: owner.cookie, ...(payload && { payload }) })
}

/** Sets the records of each server. Servers without records of their own get those of the last server. */
function setRecords(...given: (readonly ServedRecord[])[]): void {
  for (const [index, server] of servers.entries()) server.set(given[index] ?? given.at(-1) ?? [])
}

const proof = (...texts: string[]): ServedRecord => ({
  type: 'TXT',
  name: `_meridian-challenge.${host}`,
  texts,
})
const pointing = (value = TARGET): ServedRecord => ({ type: 'CNAME', name: host, value })
const serve = () => findServedHost(meridian.deps, host)

async function look(): Promise<{ verified: boolean; verdicts: string[] }> {
  const answer = await ask('POST')
  expect(answer.statusCode, answer.body).toBe(200)
  const { verified, domain } = answer.json()
  return { verified, verdicts: domain.records.map(({ verdict }: { verdict: string }) => verdict) }
}

async function makeLive(): Promise<string> {
  setRecords([proof(challenge), pointing()])
  expect((await look()).verified).toBe(true)
  const row = await meridian.database.db
    .selectFrom('calendar_hosts')
    .select('id')
    .where('host', '=', host)
    .executeTakeFirstOrThrow()
  return row.id
}

describe('a proof', () => {
  test.each([
    ['is missing', 'missing', () => [pointing()]],
    ['is another text', 'wrong', () => [proof('meridian-0123'), pointing()]],
    ['is too long', 'wrong', () => [proof(challenge, 'a'.repeat(255), 'b'.repeat(255)), pointing()]],
    [
      'is at the domain itself',
      'missing',
      // Use an address record, because a name with a CNAME record can have no other record.
      (): ServedRecord[] => [
        { type: 'TXT', name: host, texts: [challenge] },
        { type: 'A', name: host, value: '192.0.2.10' },
      ],
    ],
  ] as const)('that %s gives nothing', async (_what, verdict, toRecords) => {
    setRecords(toRecords())
    expect(await look()).toEqual({ verified: false, verdicts: [verdict, 'correct'] })
    expect(await serve()).toBeNull()
  })

  test('counts beside other texts, and in several parts', async () => {
    setRecords([proof('v=spf1 -all'), proof(challenge.slice(0, 10), challenge.slice(10)), pointing()])
    expect((await look()).verified).toBe(true)
  })

  test('of another calendar does not count for this one', async () => {
    const other = await makeOwner(meridian, { tier: 'professional' })
    const { id } = await makeCalendar(meridian, other)
    await other.put(`/api/calendars/${id}/domain`, { type: 'custom', custom_domain: host })
    setRecords([proof(challenge), pointing()])
    const answer = await other.post(`/api/calendars/${id}/domain/verification`)
    expect(answer.json().verified).toBe(false)
    expect(await serve()).toBeNull()
  })
})

describe('a record that leads here', () => {
  test.each([
    ['leads somewhere else', 'wrong', () => [pointing('shop.example')]],
    ['is missing', 'missing', () => []],
    [
      'leads to addresses of somebody else as well',
      'wrong',
      () => ['192.0.2.10', '198.51.100.1'].map((value): ServedRecord => ({ type: 'A', name: host, value })),
    ],
  ] as const)('and %s gives nothing', async (_what, verdict, toRecords) => {
    setRecords([proof(challenge), ...toRecords()])
    expect(await look()).toEqual({ verified: false, verdicts: ['correct', verdict] })
    expect(await serve()).toBeNull()
  })
})

describe('DNS servers (rule I13)', () => {
  test('one of three that is silent does not matter', { tags: ['slow'] }, async () => {
    setRecords([proof(challenge), pointing()])
    servers[1]?.behave('silent')
    expect((await look()).verified).toBe(true)
  })

  test('when two of three fail, nothing is known, and nothing is given', async () => {
    setRecords([proof(challenge), pointing()])
    servers[0]?.behave('failing')
    servers[2]?.behave('failing')
    expect(await look()).toEqual({ verified: false, verdicts: ['unknown', 'unknown'] })
    expect(await serve()).toBeNull()
  })

  test('one that lies alone cannot give a domain away', async () => {
    setRecords([proof(challenge), pointing()], [])
    expect(await look()).toEqual({ verified: false, verdicts: ['spreading', 'spreading'] })
    expect(await serve()).toBeNull()
  })

  test('that say different false things are told apart from those that say nothing', async () => {
    setRecords([proof('one'), pointing('one.example')], [proof('two'), pointing('two.example')], [])
    const answer = (await ask('POST')).json()
    expect(answer.domain.records).toMatchObject([
      { verdict: 'wrong', found: ['one', 'two'] },
      { verdict: 'wrong', found: ['one.example', 'two.example'] },
    ])
  })
})

describe('after the proof (rule I10)', () => {
  test('the text may be removed', async () => {
    const id = await makeLive()
    setRecords([pointing()])
    await checkDomain(meridian.deps, id)
    expect(await serve()).toMatchObject({ role: 'page' })
    expect((await look()).verdicts).toEqual(['correct'])
  })

  test('a domain that leads elsewhere is told at once, is not served after 7 days, and is given up after 30 more', async () => {
    const id = await makeLive()
    setRecords([pointing('shop.example')])
    const check = async (days: number) => {
      meridian.clock.ms = TEST_MONDAY + days * DAY_MS
      await checkDomain(meridian.deps, id)
      return (await ask('GET')).json()
    }
    expect(await check(1)).toMatchObject({ state: 'live', failing_since: '2027-01-05T08:00:00.000Z' })
    const first = await meridian.waitForMail(({ to }) => to.address === owner.email)
    expect(first.text).toContain(`${host} no longer point here`)
    expect(await check(2)).toMatchObject({ state: 'live' })
    expect(await serve()).toMatchObject({ role: 'page' })
    expect(await check(8)).toMatchObject({
      state: 'failing',
      kept_until: '2027-02-11T08:00:00.000Z',
      public_url: calendar.public_url,
    })
    expect(await serve()).toBeNull()
    expect(await check(37)).toMatchObject({ state: 'failing' })
    expect(await check(38)).toMatchObject({ state: 'released' })
    const told = () => meridian.mails.filter(({ to }) => to.address === owner.email)
    await meridian.waitForMail(({ text }) => text.includes('we’ve removed it'))
    expect(told()).toHaveLength(3)
  })

  test('no link leads to a domain from the check that finds it elsewhere, until it points here again (rule I15)', async () => {
    const id = await makeLive()
    const addressAfter = async (days: number, ...records: (readonly ServedRecord[])[]) => {
      setRecords(...records)
      meridian.clock.ms = TEST_MONDAY + days * DAY_MS
      await checkDomain(meridian.deps, id)
      return (await ask('GET')).json().public_url
    }
    const [path, domain] = [calendar.public_url, `http://${host}:3000`]
    expect(await addressAfter(1, [pointing('shop.example')], [pointing()])).toBe(domain)
    for (const server of servers) server.behave('failing')
    expect(await addressAfter(2)).toBe(domain)
    for (const server of servers) server.behave('good')
    expect(await addressAfter(3, [pointing('shop.example')])).toBe(path)
    expect(await serve()).toMatchObject({ role: 'page' })
    for (const server of servers) server.behave('failing')
    expect(await addressAfter(4)).toBe(path)
    for (const server of servers) server.behave('good')
    expect(await addressAfter(5, [pointing()])).toBe(domain)
  })

  test('a failing domain is served again as soon as it points here', async () => {
    const id = await makeLive()
    setRecords([])
    for (const days of [1, 8]) {
      meridian.clock.ms = TEST_MONDAY + days * DAY_MS
      await checkDomain(meridian.deps, id)
    }
    expect(await serve()).toBeNull()
    setRecords([pointing()])
    expect((await look()).verified).toBe(true)
    expect(await serve()).toMatchObject({ role: 'page' })
  })

  test('an outage of all DNS servers takes nothing from anybody', async () => {
    const id = await makeLive()
    for (const server of servers) server.behave('failing')
    for (const days of [1, 8, 60]) {
      meridian.clock.ms = TEST_MONDAY + days * DAY_MS
      await checkDomain(meridian.deps, id)
    }
    expect((await ask('GET')).json()).toMatchObject({ state: 'live', failing_since: null })
    expect(meridian.mails.filter(({ to }) => to.address === owner.email)).toEqual([])
  })

  test('each domain in use is due once a day', async () => {
    const id = await makeLive()
    const due = async (hours: number) =>
      (
        await listDomainsDueForCheck(meridian.database.db, new Date(TEST_MONDAY + hours * 3_600_000), 1_000)
      ).includes(id)
    expect([await due(-1), await due(1)]).toEqual([false, true])
    meridian.clock.ms = TEST_MONDAY + DAY_MS
    await checkDomain(meridian.deps, id)
    expect([await due(23), await due(25)]).toEqual([false, true])
  })

  test('the hourly job looks at what is due, and only at that', async () => {
    const id = await makeLive()
    setRecords([pointing('shop.example')])
    const readCheck = async () => {
      const row = await meridian.database.db
        .selectFrom('calendar_hosts')
        .select(['last_checked_at', 'failing_since'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return row
    }
    await meridian.jobs.send(DOMAIN_CHECK_JOB, { hostId: id })
    meridian.clock.ms = TEST_MONDAY + DAY_MS
    await meridian.jobs.send(DUE_DOMAIN_CHECKS_JOB, {})
    await meridian.waitForMail(({ to, text }) => to.address === owner.email && text.includes(host))
    expect(await readCheck()).toEqual({
      last_checked_at: new Date(TEST_MONDAY + DAY_MS),
      failing_since: new Date(TEST_MONDAY + DAY_MS),
    })
  })

  test('a domain that is given up and released can be had by another owner', async () => {
    await makeLive()
    await ask('PUT', { type: 'path' })
    const other = await makeOwner(meridian, { tier: 'professional' })
    const { id } = await makeCalendar(meridian, other)
    const url = `/api/calendars/${id}/domain`
    const payload = { type: 'custom', custom_domain: host }
    const claimed = await other.put(url, payload)
    // The previous owner's records still exist. They point here, but prove nothing for the new owner.
    const verify = () => other.post(`${url}/verification`)
    expect((await verify()).json().verified).toBe(false)
    expect(await serve()).toMatchObject({ calendarId: calendar.id, role: 'redirect' })
    meridian.clock.ms += 60_000
    setRecords([proof(claimed.json().records[0].wanted[0]), pointing()])
    expect((await verify()).json().verified).toBe(true)
    expect(await serve()).toMatchObject({ calendarId: id, role: 'page' })
  })
})

describe('budgets (rule I12)', () => {
  test('an owner claims 20 addresses a day, and can always go back to the booking link', async () => {
    const strict = await startMeridian({ env: { DEFAULT_PLAN: 'business', BUDGETS: 'login_client=1000' } })
    try {
      const [person, stranger] = [await makeOwner(strict), await makeOwner(strict)]
      const { id } = await makeCalendar(strict, person)
      const claim = (payload: object) => strict.as(person).put(`/api/calendars/${id}/domain`, payload)
      for (let i = 0; i < 20; i += 1) {
        expect((await claim({ type: 'custom', custom_domain: `a${i}.osei.localhost` })).statusCode).toBe(200)
      }
      expectRefusal(await claim({ type: 'custom', custom_domain: 'b.osei.localhost' }), 'request.too_many')
      expectRefusal(await claim({ type: 'subdomain' }), 'request.too_many')
      expect((await claim({ type: 'path' })).statusCode).toBe(200)
      const kept = await strict.database.db.selectFrom('calendar_hosts').select('id').execute()
      expect(kept).toEqual([])
      const other = await makeCalendar(strict, stranger)
      const answer = await strict.as(stranger).put(`/api/calendars/${other.id}/domain`, { type: 'subdomain' })
      expect(answer.statusCode).toBe(200)
    } finally {
      await strict.stop()
    }
  })

  test('new subdomains have an end for an owner and for the installation, and an own one always comes back', async () => {
    const budgets = 'login_client=1000,subdomains_owner=1,subdomains_installation=2'
    const strict = await startMeridian({ env: { DEFAULT_PLAN: 'business', BUDGETS: budgets } })
    try {
      const choose = async (type: 'subdomain' | 'path', person: TestOwner, { id }: Calendar) =>
        strict.as(person).put(`/api/calendars/${id}/domain`, { type })
      const [first, second, third] = [
        await makeOwner(strict),
        await makeOwner(strict),
        await makeOwner(strict),
      ]
      const own = await makeCalendar(strict, first)
      const given = await choose('subdomain', first, own)
      expect(given.statusCode).toBe(200)
      expectRefusal(await choose('subdomain', first, await makeCalendar(strict, first)), 'request.too_many')
      expect((await choose('path', first, own)).statusCode).toBe(200)
      const back = await choose('subdomain', first, own)
      expect(back.json()).toMatchObject({ type: 'subdomain', subdomain: given.json().subdomain })
      expect((await choose('subdomain', second, await makeCalendar(strict, second))).statusCode).toBe(200)
      expectRefusal(
        await choose('subdomain', third, await makeCalendar(strict, third)),
        'domain.subdomains_spent',
      )
    } finally {
      await strict.stop()
    }
  })

  test('accounts that claim, delete their calendar and claim again leave subdomains to others, whatever their age', {
    tags: ['slow'],
  }, async () => {
    const strict = await startMeridian({ env: { DEFAULT_PLAN: 'business', BUDGETS: 'login_client=1000' } })
    try {
      const openedAgo = async (days: number) => {
        const owner = await makeOwner(strict)
        const created_at = new Date(strict.clock.ms - days * DAY_MS)
        await strict.database.db
          .updateTable('profiles')
          .set({ created_at })
          .where('id', '=', owner.id)
          .execute()
        return owner
      }
      const claim = async (person: TestOwner) => {
        const { id } = await makeCalendar(strict, person)
        const url = `/api/calendars/${id}`
        const payload = { type: 'subdomain' }
        const answer = await strict.as(person).put(`${url}/domain`, payload)
        await strict.as(person).delete(url)
        return answer
      }
      const attack = async (days: number) => {
        let taken = 0
        for (let account = 0; account < 8; account += 1) {
          const person = await openedAgo(days)
          for (let i = 0; i < 2; i += 1) if ((await claim(person)).statusCode === 200) taken += 1
        }
        return taken
      }
      expect(await attack(0)).toBe(10)
      expectRefusal(await claim(await openedAgo(13)), 'domain.subdomains_spent')
      // Ten claims belong to owners who have already made one; the new accounts used up five of these.
      expect(await attack(15)).toBe(8 + 5)
      const honest = await openedAgo(15)
      expect((await claim(honest)).statusCode).toBe(200)
    } finally {
      await strict.stop()
    }
  })

  test('an owner has a domain checked 30 times an hour', async () => {
    const strict = await startMeridian({ env: { DEFAULT_PLAN: 'business', BUDGETS: 'domain_checks=2' } })
    try {
      const person = await makeOwner(strict)
      const { id } = await makeCalendar(strict, person)
      const url = `/api/calendars/${id}/domain`
      const payload = { type: 'custom', custom_domain: 'termine.osei.localhost' }
      await strict.as(person).put(url, payload)
      const verify = () => strict.as(person).post(`${url}/verification`)
      expect((await verify()).statusCode).toBe(200)
      expect((await verify()).statusCode).toBe(200)
      expectRefusal(await verify(), 'request.too_many')
    } finally {
      await strict.stop()
    }
  })
})
