import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ChangeDomainBody } from '#contract/addresses/domains.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeDns } from '#tests/support/fake-dns.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { checkDomain } from './check-domain.ts'
import { findHostOfCalendar } from './host-repository.ts'
import { findServedHost } from './use-cases.ts'

const TARGET = 'targets.pages.example'
const IPS = ['192.0.2.10', '192.0.2.11']

const dns = makeFakeDns()
setUpCalendar({
  dns,
  env: {
    SUBDOMAIN_HOST: 'pages.example',
    CUSTOM_DOMAIN_CNAME: TARGET,
    CUSTOM_DOMAIN_IPS: IPS.join(','),
  },
  owner: { lifetime: 'test', tier: 'professional' },
})
beforeEach(async () => {
  dns.forget()
})

type Asker = { readonly owner: TestOwner; readonly calendar: Calendar }

async function ask(
  method: 'GET' | 'PUT' | 'DELETE' | 'POST',
  { payload, by = { owner, calendar } }: { payload?: object; by?: Asker } = {},
): Promise<LightMyRequestResponse> {
  const path = `/api/calendars/${by.calendar.id}/domain${method === 'POST' ? '/verification' : ''}`
  return meridian.request({ method, url: path, cookie: by.owner.cookie, ...(payload && { payload }) })
}

async function choose(payload: ChangeDomainBody, by?: Asker) {
  const answer = await ask('PUT', { payload, ...(by && { by }) })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

async function verify(by?: Asker) {
  const answer = await ask('POST', by && { by })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

const serve = (host: string) => findServedHost(meridian.deps, host)
const newDomain = () => `book.${randomUUID()}.com`

async function anotherPractice(): Promise<Asker> {
  const other = await makeOwner(meridian, { tier: 'professional' })
  return { owner: other, calendar: await makeCalendar(meridian, other) }
}

/** Claims a domain and sets the DNS records that the response requires. */
async function setRecords(host: string, by?: Asker): Promise<string> {
  const { records } = await choose({ type: 'custom', custom_domain: host }, by)
  const challenge: string = records[0].wanted[0]
  dns.addText(`_meridian-challenge.${host}`, challenge)
  dns.point(host, { names: [TARGET], addresses: [IPS[0] ?? ''] })
  return challenge
}

describe('a path (rule I2)', () => {
  test('is the address of the calendar, and earlier paths are nobody else’s', async () => {
    const [first, second] = [`a-${randomUUID()}`, `b-${randomUUID()}`]
    expect(await choose({ type: 'path', path: ` ${first.toUpperCase()} ` })).toMatchObject({
      type: 'path',
      path: first,
      public_url: `http://localhost:3000/book/${first}`,
    })
    await choose({ type: 'path', path: second })
    const by = await anotherPractice()
    for (const path of [first, second, calendar.slug]) {
      expectRefusal(await ask('PUT', { payload: { type: 'path', path }, by }), 'calendar.slug_taken')
    }
    expect(await choose({ type: 'path', path: first })).toMatchObject({ path: first })
    expect(await choose({ type: 'path' })).toMatchObject({
      path: null,
      public_url: `http://localhost:3000/book/${calendar.slug}`,
    })
  })

  test('that is a word of another calendar’s path cannot become a slug', async () => {
    const path = `word-${randomUUID()}`
    await choose({ type: 'path', path })
    const answer = await owner.post('/api/calendars', { name: 'Second', slug: path })
    expectRefusal(answer, 'calendar.slug_taken')
  })

  test.each([
    ['login', 'calendar.slug_reserved'],
    ['two words', 'calendar.slug_invalid'],
    ['a/b', 'calendar.slug_invalid'],
    ['-a', 'calendar.slug_invalid'],
  ] as const)('“%s” is refused', async (path, code) => {
    const answer = await ask('PUT', { payload: { type: 'path', path } })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain(code)
  })
})

describe('a subdomain (rule I3)', () => {
  test('is made from the name, needs no plan, and shows the page at once', async () => {
    const free = await makeOwner(meridian)
    const name = `Zoë ${randomUUID()}`
    const by = { owner: free, calendar: await makeCalendar(meridian, free, { name }) }
    const host = `${name.toLowerCase().replace('ë', 'e').replace(' ', '-')}.pages.example`
    expect(await choose({ type: 'subdomain' }, by)).toMatchObject({
      type: 'subdomain',
      subdomain: host,
      public_url: `http://${host}:3000`,
    })
    expect(await serve(host)).toMatchObject({ calendarId: by.calendar.id, role: 'page' })
    const { domain_settings } = (await meridian.as(free).get(`/api/calendars/${by.calendar.id}`)).json()
    expect(domain_settings).toMatchObject({ type: 'subdomain', subdomain: host.split('.')[0] })
  })

  test('that is taken gets a number, and a reserved word is not given out', async () => {
    const name = `Same ${randomUUID()}`
    const [one, two] = [await anotherPractice(), await anotherPractice()]
    for (const { owner, calendar } of [one, two]) {
      await owner.patch(`/api/calendars/${calendar.id}`, { name })
    }
    const first = (await choose({ type: 'subdomain' }, one)).subdomain
    expect((await choose({ type: 'subdomain' }, two)).subdomain).toBe(first.replace('.pages', '-2.pages'))
    const reserved = { owner, calendar: await makeCalendar(meridian, owner, { name: 'Admin' }) }
    expect((await choose({ type: 'subdomain' }, reserved)).subdomain).not.toBe('admin.pages.example')
  })

  test('is never a name of the installation itself (rule I3)', async () => {
    const own = await makeCalendar(meridian, owner, { name: 'Targets' })
    expect((await choose({ type: 'subdomain' }, { owner, calendar: own })).subdomain).toBe(
      'targets-2.pages.example',
    )
  })

  test('comes back under another name of its calendar, so that no second certificate is needed (rule I3)', async () => {
    const host: string = (await choose({ type: 'subdomain' })).subdomain
    await choose({ type: 'path' })
    const renamed = await owner.patch(`/api/calendars/${calendar.id}`, { name: `Renamed ${randomUUID()}` })
    expect(renamed.statusCode).toBe(200)
    expect((await ask('GET')).json()).toMatchObject({ subdomain: host })
    expect((await choose({ type: 'subdomain' })).subdomain).toBe(host)
    expect(await serve(host)).toMatchObject({ role: 'page' })
  })

  test('leads on after another choice, comes back, and belongs to nobody after its calendar', async () => {
    const host: string = (await choose({ type: 'subdomain' })).subdomain
    await choose({ type: 'path' })
    expect(await serve(host)).toMatchObject({ role: 'redirect' })
    expect((await choose({ type: 'subdomain' })).subdomain).toBe(host)
    expect(await serve(host)).toMatchObject({ role: 'page' })
    const { name } = calendar
    expect((await bookAppointment(meridian, calendar.slug)).statusCode).toBe(201)
    const deletion = { method: 'DELETE', url: `/api/calendars/${calendar.id}`, cookie: owner.cookie } as const
    expect((await meridian.request(deletion)).statusCode).toBe(204)
    expect(await serve(host)).toBeNull()
    const other = await makeOwner(meridian)
    const by = { owner: other, calendar: await makeCalendar(meridian, other, { name }) }
    expect((await choose({ type: 'subdomain' }, by)).subdomain).not.toBe(host)
  })
})

describe('a subdomain of a calendar that is deleted', () => {
  async function deleteAndClaim({ age = 0, isBooked = false }) {
    const by = await anotherPractice()
    const { name } = by.calendar
    const host: string = (await choose({ type: 'subdomain' }, by)).subdomain
    if (isBooked) expect((await bookAppointment(meridian, by.calendar.slug)).statusCode).toBe(201)
    meridian.clock.ms += age
    expect((await meridian.as(by.owner).delete(`/api/calendars/${by.calendar.id}`)).statusCode).toBe(204)
    const other = await makeOwner(meridian)
    const next = { owner: other, calendar: await makeCalendar(meridian, other, { name }) }
    return { host, given: (await choose({ type: 'subdomain' }, next)).subdomain }
  }

  test('is given to another calendar at once when nobody booked there and it is new', async () => {
    const { host, given } = await deleteAndClaim({})
    expect(given).toBe(host)
  })

  test.each([{ isBooked: true }, { age: 8 * DAY_MS }])('stays with it for good: %j', async (use) => {
    const { host, given } = await deleteAndClaim(use)
    expect(given).not.toBe(host)
    expect(await serve(host)).toBeNull()
  })
})

describe('a domain', () => {
  test('is stored trimmed and in lower case, and nothing is served before its proof (rules I4 and I6)', async () => {
    const host = newDomain()
    dns.point(host, { names: [TARGET], addresses: [] })
    const chosen = await choose({ type: 'custom', custom_domain: `  ${host.toUpperCase()}. ` })
    expect(chosen).toMatchObject({ custom_domain: host, state: 'pending', public_url: calendar.public_url })
    expect(chosen.records).toEqual([
      {
        type: 'TXT',
        name: `_meridian-challenge.${host}`,
        wanted: [expect.stringMatching(/^meridian-[0-9a-f]{32}$/)],
        found: [],
        verdict: 'unknown',
      },
      { type: 'CNAME', name: host, wanted: [TARGET], found: [], verdict: 'unknown' },
    ])
    expect(await serve(host)).toBeNull()
    const { verified, domain } = await verify()
    expect(verified).toBe(false)
    expect(domain.records.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['missing', 'correct'])
    expect(await serve(host)).toBeNull()
  })

  test('is live once its records are correct', async () => {
    const host = newDomain()
    await setRecords(host)
    const { verified, domain } = await verify()
    expect(verified).toBe(true)
    expect(domain).toMatchObject({ state: 'live', public_url: `http://${host}:3000` })
    expect(await serve(host)).toMatchObject({ calendarId: calendar.id, role: 'page' })
  })

  test('that is a root has addresses instead of a name (rule I8)', async () => {
    const host = `${randomUUID()}.com`
    const { records } = await choose({ type: 'custom', custom_domain: host })
    expect(records[1]).toMatchObject({ type: 'A', name: host, wanted: IPS })
    dns.addText(`_meridian-challenge.${host}`, records[0].wanted[0])
    dns.point(host, { names: [], addresses: ['192.0.2.10', '198.51.100.7'] })
    const astray = await verify()
    expect(astray.domain.records[1]).toMatchObject({
      verdict: 'wrong',
      found: ['192.0.2.10', '198.51.100.7'],
    })
    dns.point(host, { names: [], addresses: ['192.0.2.11'] })
    expect(await verify()).toMatchObject({ verified: true })
  })

  test('needs a plan, is checked by its plan again when it is verified, and is refused in words', async () => {
    const free = await makeOwner(meridian)
    const by = { owner: free, calendar: await makeCalendar(meridian, free) }
    const payload = { type: 'custom', custom_domain: newDomain() }
    expectRefusal(await ask('PUT', { payload, by }), 'domain.not_in_plan')
    await choose({ type: 'custom', custom_domain: newDomain() })
    await meridian.database.db.deleteFrom('subscriptions').where('user_id', '=', owner.id).execute()
    expectRefusal(await ask('POST'), 'domain.not_in_plan')
    expect((await ask('GET')).json()).toMatchObject({ type: 'custom', custom_in_plan: false })
  })

  test.each([
    ['192.0.2.1', 'domain.is_ip_address'],
    ['https://book.example.com', 'domain.with_more'],
    ['book.example.com:8080', 'domain.with_more'],
    ['co.uk', 'domain.is_public_suffix'],
    ['localhost', 'domain.not_a_name'],
    ['anna.pages.example', 'domain.of_installation'],
    [TARGET, 'domain.of_installation'],
    ['раypal.com', 'domain.mixes_scripts'],
    ['printer.local', 'domain.is_special'],
  ] as const)('“%s” is refused', async (custom_domain, code) => {
    expectRefusal(await ask('PUT', { payload: { type: 'custom', custom_domain } }), code)
  })

  test('in another alphabet is stored and shown as DNS has it (rule I5)', async () => {
    const custom_domain = `praxis-müller-${randomUUID()}.com`
    const { custom_domain: host, custom_domain_letters } = await choose({ type: 'custom', custom_domain })
    expect(host).toMatch(/^xn--/)
    expect(custom_domain_letters).toBe(custom_domain)
  })

  test('that is given up after its proof leads to the present address, and one without a proof is forgotten (rule I14)', async () => {
    const [proven, unproven] = [newDomain(), newDomain()]
    await setRecords(proven)
    await verify()
    await choose({ type: 'custom', custom_domain: unproven })
    expect(await serve(proven)).toMatchObject({ role: 'redirect' })
    const answer = await ask('DELETE')
    expect(answer.json()).toMatchObject({ type: 'path', custom_domain: null, state: null, records: [] })
    const rows = await meridian.database.db
      .selectFrom('calendar_hosts')
      .select(['host', 'state'])
      .where('calendar_id', '=', calendar.id)
      .execute()
    expect(rows).toEqual([{ host: proven, state: 'retired' }])
  })

  test('is served again at once when it is chosen again while it leads here, also without the text (rule I14)', async () => {
    const host = newDomain()
    await setRecords(host)
    await verify()
    dns.forgetTexts()
    await choose({ type: 'path' })
    expect(await serve(host)).toMatchObject({ role: 'redirect' })
    expect(await choose({ type: 'custom', custom_domain: host })).toMatchObject({
      state: 'live',
      public_url: `http://${host}:3000`,
    })
    expect(await serve(host)).toMatchObject({ calendarId: calendar.id, role: 'page' })
  })

  test('that has led elsewhere since it was given up keeps that day when it is chosen again (rule I10)', async () => {
    const host = newDomain()
    await setRecords(host)
    await verify()
    await choose({ type: 'path' })
    dns.point(host, { names: ['shop.example'], addresses: [] })
    const row = await findHostOfCalendar(meridian.database.db, calendar.id, host)
    await checkDomain(meridian.deps, row?.id ?? '')
    expect(await choose({ type: 'custom', custom_domain: host })).toMatchObject({
      state: 'live',
      failing_since: new Date(TEST_MONDAY).toISOString(),
    })
  })

  test('is free for others when its calendar is deleted', async () => {
    const host = newDomain()
    await setRecords(host)
    await verify()
    await owner.delete(`/api/calendars/${calendar.id}`)
    expect(await serve(host)).toBeNull()
    const by = await anotherPractice()
    await setRecords(host, by)
    expect(await verify(by)).toMatchObject({ verified: true })
  })
})

describe('somebody else’s domain (rule I11)', () => {
  test('is claimed by anybody, and served for none without the proof', async () => {
    const host = newDomain()
    await setRecords(host)
    await verify()
    const by = await anotherPractice()
    await choose({ type: 'custom', custom_domain: host }, by)
    expect((await verify(by)).verified).toBe(false)
    expect(await serve(host)).toMatchObject({ calendarId: calendar.id })
  })

  test('goes to whoever proves it last: the other one is told and needs a new text', async () => {
    const host = newDomain()
    const earlier = await setRecords(host)
    await verify()
    const by = await anotherPractice()
    meridian.clock.ms += 60_000
    await setRecords(host, by)
    expect(await verify(by)).toMatchObject({ verified: true })
    expect(await serve(host)).toMatchObject({ calendarId: by.calendar.id })
    const mail = await meridian.waitForMail(({ to }) => to.address === owner.email)
    expect(mail.subject).toContain('domain')
    expect(mail.text).toContain(host)
    expect((await ask('GET')).json()).toMatchObject({ state: 'released', public_url: calendar.public_url })
    expectRefusal(await ask('POST'), 'domain.nothing_to_verify')
    const again = await choose({ type: 'custom', custom_domain: host })
    expect(again.records[0].wanted[0]).not.toBe(earlier)
    expect((await verify()).verified).toBe(false)
    expect(await serve(host)).toMatchObject({ calendarId: by.calendar.id })
  })

  test('of an earlier address is simply taken over', async () => {
    const host = newDomain()
    await setRecords(host)
    await verify()
    await choose({ type: 'path' })
    const by = await anotherPractice()
    meridian.clock.ms += 60_000
    await setRecords(host, by)
    expect(await verify(by)).toMatchObject({ verified: true })
    expect(await serve(host)).toMatchObject({ calendarId: by.calendar.id, role: 'page' })
  })

  test('that was released after it had led elsewhere is not had back by the text that was left behind', async () => {
    const host = newDomain()
    const left = await setRecords(host)
    await verify()
    dns.point(host, { names: ['shop.example'], addresses: [] })
    const row = await findHostOfCalendar(meridian.database.db, calendar.id, host)
    for (const days of [1, 38]) {
      meridian.clock.ms = TEST_MONDAY + days * DAY_MS
      await checkDomain(meridian.deps, row?.id ?? '')
    }
    expect((await ask('GET')).json()).toMatchObject({ state: 'released' })
    const by = await anotherPractice()
    await setRecords(host, by)
    expect(await verify(by)).toMatchObject({ verified: true })
    meridian.clock.ms += 60_000
    const again = await choose({ type: 'custom', custom_domain: host })
    expect(again.records[0].wanted[0]).not.toBe(left)
    expect((await verify()).domain.records[0]).toMatchObject({ verdict: 'wrong' })
    expect(await serve(host)).toMatchObject({ calendarId: by.calendar.id, role: 'page' })
  })

  test('that was claimed first and proven by another is not taken by the text of the claim', async () => {
    const host = newDomain()
    const left = await setRecords(host)
    const by = await anotherPractice()
    await setRecords(host, by)
    expect(await verify(by)).toMatchObject({ verified: true })
    meridian.clock.ms += 60_000
    expect((await ask('GET')).json().records[0].wanted[0]).not.toBe(left)
    expect((await verify()).domain.records[0]).toMatchObject({ verdict: 'wrong' })
    expect(await serve(host)).toMatchObject({ calendarId: by.calendar.id, role: 'page' })
  })

  test('a CNAME record that was left behind gives it to nobody', async () => {
    const host = newDomain()
    await setRecords(host)
    await verify()
    await ask('DELETE')
    dns.forgetTexts()
    const by = await anotherPractice()
    await choose({ type: 'custom', custom_domain: host }, by)
    expect((await verify(by)).verified).toBe(false)
  })
})

describe('who asks', () => {
  test.each(['GET', 'PUT', 'DELETE', 'POST'] as const)('%s is for the owner alone', async (method) => {
    const stranger = await makeOwner(meridian, { tier: 'professional' })
    const payload = method === 'PUT' ? { type: 'path' } : undefined
    const answer = await ask(method, { by: { owner: stranger, calendar }, ...(payload && { payload }) })
    expectRefusal(answer, 'calendar.forbidden')
  })

  test('there is nothing to verify without a domain', async () => {
    expectRefusal(await ask('POST'), 'domain.nothing_to_verify')
  })
})
