import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { TEST_MONDAY } from '#tests/support/meridian.ts'
import { addHost } from '#tests/support/stored-rows.ts'
import { findCalendarOfPath } from './repository.ts'
import { findCanonicalAddress, findServedHost } from './use-cases.ts'

setUpCalendar({ owner: { lifetime: 'test', tier: 'professional' } })

const serve = (host: string) => findServedHost(meridian.deps, host)
const addressOf = () => findCanonicalAddress(meridian.deps, calendar.id)

/** Returns a new host name, because all tests of this file share one database. */
function uniqueHost(kind: 'subdomain' | 'custom'): string {
  return kind === 'custom' ? `${randomUUID()}.example` : `${randomUUID()}.localhost`
}

describe('a host name', () => {
  test.each(['subdomain', 'custom'] as const)(
    'that is a live %s shows the page, and is the address',
    async (kind) => {
      const host = uniqueHost(kind)
      await addHost(meridian, calendar.id, { host, kind, state: 'live' })
      expect(await serve(host)).toEqual({ calendarId: calendar.id, slug: calendar.slug, role: 'page' })
      expect(await addressOf()).toBe(`http://${host}:3000`)
    },
  )

  test.each(['pending', 'failing', 'released'] as const)('that is %s does nothing', async (state) => {
    const host = uniqueHost('custom')
    await addHost(meridian, calendar.id, { host, kind: 'custom', state })
    expect(await serve(host)).toBeNull()
    expect(await addressOf()).toBe(`http://localhost:3000/book/${calendar.slug}`)
  })

  test('that was an address before leads to the present one', async () => {
    const [before, now] = [uniqueHost('subdomain'), uniqueHost('custom')]
    await addHost(meridian, calendar.id, { host: before, kind: 'subdomain', state: 'retired' })
    await addHost(meridian, calendar.id, { host: now, kind: 'custom', state: 'live' })
    expect(await serve(before)).toMatchObject({ calendarId: calendar.id, role: 'redirect' })
    expect(await addressOf()).toBe(`http://${now}:3000`)
  })

  test('that nobody has does nothing', async () => {
    expect(await serve('nobody.example')).toBeNull()
  })

  test('that is a domain leads to the path once the plan is over, and shows the page again with a plan (rule I9)', async () => {
    const host = uniqueHost('custom')
    await addHost(meridian, calendar.id, { host, kind: 'custom', state: 'live' })
    await endPlanAt(TEST_MONDAY + 60_000)
    expect(await serve(host)).toMatchObject({ role: 'page' })
    meridian.clock.ms += 60_000
    expect(await serve(host)).toMatchObject({ role: 'redirect' })
    expect(await addressOf()).toBe(`http://localhost:3000/book/${calendar.slug}`)
    await endPlanAt(null)
    expect(await serve(host)).toMatchObject({ role: 'page' })
  })

  test('that is a subdomain needs no plan', async () => {
    const host = uniqueHost('subdomain')
    await addHost(meridian, calendar.id, { host, kind: 'subdomain', state: 'live' })
    await endPlanAt(TEST_MONDAY)
    expect(await serve(host)).toMatchObject({ role: 'page' })
  })
})

describe('a path', () => {
  test('is the address, and earlier ones lead to their calendar', async () => {
    const { db } = meridian.database
    const [earlier, present] = [`a-${randomUUID()}`, `b-${randomUUID()}`]
    await db
      .insertInto('public_calendars')
      .values(
        [earlier, present].map((slug) => ({
          slug,
          calendar_id: null,
          public_url: null,
          path_of: calendar.id,
        })),
      )
      .execute()
    await db
      .updateTable('calendars')
      .set({ domain_settings: JSON.stringify({ type: 'path', path: present }) })
      .where('id', '=', calendar.id)
      .execute()
    expect(await addressOf()).toBe(`http://localhost:3000/book/${present}`)
    const found = { calendarId: calendar.id, slug: calendar.slug }
    expect(await findCalendarOfPath(db, earlier)).toEqual(found)
    expect(await findCalendarOfPath(db, present)).toEqual(found)
    expect(await findCalendarOfPath(db, calendar.slug)).toBeNull()
  })
})

test('a calendar that does not exist has no address', async () => {
  expect(await findCanonicalAddress(meridian.deps, randomUUID())).toBeNull()
})

async function endPlanAt(ms: number | null): Promise<void> {
  await meridian.database.db
    .updateTable('subscriptions')
    .set({ ends_at: ms === null ? null : new Date(ms) })
    .where('user_id', '=', owner.id)
    .execute()
}
