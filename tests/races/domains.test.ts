import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFakeDns } from '#tests/support/fake-dns.ts'
import { makeCalendar, makeOwner, type TestMeridian } from '#tests/support/meridian.ts'
import { startOnPostgresServer } from '#tests/support/race-track.ts'

const TARGET = 'domains.meridian.example'
const dns = makeFakeDns()
let meridian: TestMeridian

beforeAll(async () => {
  meridian = await startOnPostgresServer({
    dns,
    env: { DEFAULT_PLAN: 'business', CUSTOM_DOMAIN_CNAME: TARGET, SUBDOMAIN_HOST: 'pages.example' },
  })
})
afterAll(() => meridian.stop())

async function makePractice(name?: string) {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner, name === undefined ? {} : { name })
  const url = `/api/calendars/${calendar.id}/domain`
  return {
    calendar,
    choose: (payload: object) => owner.put(url, payload),
    verify: () => owner.post(`${url}/verification`),
  }
}

test('of owners who prove one domain at the same time, one has it, and the others are refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const host = `book.${randomUUID()}.com`
    const practices = await Promise.all(Array.from({ length: 4 }, () => makePractice()))
    dns.point(host, { names: [TARGET], addresses: [] })
    for (const { choose } of practices) {
      const claimed = await choose({ type: 'custom', custom_domain: host })
      dns.addText(`_meridian-challenge.${host}`, claimed.json().records[0].wanted[0])
    }
    // Holds all DNS lookups back until the last one arrives, so that every owner's proof is found at the same time.
    let waiting = 0
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    dns.before(async () => {
      waiting += 1
      if (waiting === practices.length * 2) {
        // Meridian's clock stands still, so the test advances it before the proofs are compared.
        meridian.clock.ms += 1_000
        open()
      }
      await gate
    })
    const answers = await Promise.all(practices.map(({ verify }) => verify()))
    dns.before(async () => {})
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409])
    const rows = await meridian.database.db
      .selectFrom('calendar_hosts')
      .select('state')
      .where('host', '=', host)
      .execute()
    expect(rows.map(({ state }) => state).sort()).toEqual(['live', 'pending', 'pending', 'pending'])
  }
})

test('calendars with one name that ask for a subdomain at the same time get one each', async () => {
  const name = `Same ${randomUUID()}`
  const practices = await Promise.all(Array.from({ length: 6 }, () => makePractice(name)))
  const answers = await Promise.all(practices.map(({ choose }) => choose({ type: 'subdomain' })))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
  expect(new Set(answers.map((answer) => answer.json().subdomain)).size).toBe(6)
})

test('one word that is asked for as a path and as a slug at the same time goes to one of them', async () => {
  for (let round = 0; round < 10; round += 1) {
    const word = `word-${randomUUID()}`
    const [one, two] = [await makePractice(), await makePractice()]
    const owner = await makeOwner(meridian)
    const answers = await Promise.all([
      one.choose({ type: 'path', path: word }),
      two.choose({ type: 'path', path: word }),
      owner.post('/api/calendars', { name: 'Word', slug: word }),
    ])
    const taken = answers.filter(({ statusCode }) => statusCode < 300)
    expect(taken).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(2)
  }
})

test('a domain that is proven while its owner changes the address is served for one of both', async () => {
  for (let round = 0; round < 10; round += 1) {
    const host = `book.${randomUUID()}.com`
    const practice = await makePractice()
    dns.point(host, { names: [TARGET], addresses: [] })
    const claimed = await practice.choose({ type: 'custom', custom_domain: host })
    dns.addText(`_meridian-challenge.${host}`, claimed.json().records[0].wanted[0])
    const [verified, changed] = await Promise.all([practice.verify(), practice.choose({ type: 'subdomain' })])
    expect([200, 409]).toContain(verified.statusCode)
    expect(changed.statusCode).toBe(200)
    const rows = await meridian.database.db
      .selectFrom('calendar_hosts')
      .select('kind')
      .where('calendar_id', '=', practice.calendar.id)
      .where('state', 'in', ['pending', 'live', 'failing'])
      .execute()
    expect(rows).toEqual([{ kind: 'subdomain' }])
  }
})
