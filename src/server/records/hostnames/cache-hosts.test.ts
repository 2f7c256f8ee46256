import { beforeAll, expect, test, vi } from 'vitest'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { addHost } from '#tests/support/stored-rows.ts'
import { cacheHosts } from './cache-hosts.ts'

let calendar: { readonly id: string; readonly slug: string }

setUpMeridian()
beforeAll(async () => {
  calendar = await makeCalendar(meridian, await makeOwner(meridian))
})

/** Builds the cache of one process with its own clock, and records the queries that it sends. */
function follow() {
  const clock = { ms: 0 }
  const asked: string[] = []
  const warnings: unknown[] = []
  let isAway = false
  let answering: Promise<void> = Promise.resolve()
  const { db } = meridian.database
  const counted = new Proxy(db, {
    get(target, name, receiver) {
      if (name !== 'executeQuery' && name !== 'selectFrom') return Reflect.get(target, name, receiver)
      const call = (given: readonly unknown[]) =>
        Reflect.apply(Reflect.get(target, name, receiver), target, given)
      return (...given: readonly unknown[]) => {
        asked.push(String(name))
        if (isAway) throw new Error('the database is away')
        // Building a query is not delayed, but its execution is.
        return name === 'executeQuery' ? answering.then(() => call(given)) : call(given)
      }
    },
  })
  const hosts = cacheHosts({
    db: counted,
    log: { warn: (...words: readonly unknown[]) => warnings.push(words) },
    elapsedMs: () => clock.ms,
  })
  const setAway = (away: boolean) => {
    isAway = away
  }
  /** Makes the database not respond until the returned function is called. */
  const hang = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answering = promise
    return resolve
  }
  return { ...hosts, clock, asked, warnings, setAway, hang }
}

test('a change is known after a second, and a thousand questions in between cost two queries (rule J4)', async () => {
  const hosts = follow()
  expect(await hosts.find('a.example')).toBeNull()
  await addHost(meridian, calendar.id, { host: 'a.example', kind: 'custom', state: 'live' })
  hosts.clock.ms = 1_000
  expect(await hosts.find('a.example')).toEqual({
    host: 'a.example',
    calendarId: calendar.id,
    slug: calendar.slug,
  })
  hosts.asked.length = 0
  for (let i = 0; i < 1_000; i += 1) expect(await hosts.find(`random-${i}.example`)).toBeNull()
  expect(hosts.asked).toEqual([])
  hosts.clock.ms = 1_450
  for (let i = 0; i < 1_000; i += 1) expect(await hosts.find(`random-${i}.example`)).toBeNull()
  // The version number is unchanged, so the hosts are not loaded again.
  expect(hosts.asked).toEqual(['executeQuery'])
})

test('every kind of change counts: another state, another calendar, a deletion', async () => {
  const hosts = follow()
  await addHost(meridian, calendar.id, { host: 'b.example', kind: 'custom', state: 'retired' })
  expect(await hosts.find('b.example')).not.toBeNull()
  const { db } = meridian.database
  const update = (state: 'released' | 'live') =>
    db.updateTable('calendar_hosts').set({ state }).where('host', '=', 'b.example').execute()
  await update('released')
  hosts.clock.ms += 1_000
  expect(await hosts.find('b.example')).toBeNull()
  await db.deleteFrom('calendar_hosts').where('host', '=', 'a.example').execute()
  hosts.clock.ms += 1_000
  expect(await hosts.find('a.example')).toBeNull()
})

test('what is rolled back was never there', async () => {
  const hosts = follow()
  await meridian.database.db
    .transaction()
    .execute(async (trx) => {
      await addHost({ ...meridian, database: { ...meridian.database, db: trx } }, calendar.id, {
        host: 'c.example',
        kind: 'custom',
        state: 'live',
      })
      throw new Error('rolled back')
    })
    .catch(() => {})
  hosts.clock.ms += 1_000
  expect(await hosts.find('c.example')).toBeNull()
})

test('while the database is away, what was known last stays true, and it is asked twice a second at most', async () => {
  const hosts = follow()
  await addHost(meridian, calendar.id, { host: 'd.example', kind: 'subdomain', state: 'retired' })
  expect(await hosts.find('d.example')).not.toBeNull()
  hosts.setAway(true)
  hosts.clock.ms += 5_000
  hosts.asked.length = 0
  for (let i = 0; i < 100; i += 1) expect(await hosts.find('d.example')).not.toBeNull()
  expect(hosts.asked).toHaveLength(1)
  expect(hosts.warnings).toHaveLength(1)
  hosts.setAway(false)
  hosts.clock.ms += 500
  expect(await hosts.find('nobody.example')).toBeNull()
  expect(hosts.warnings).toHaveLength(1)
})

test('while the database hangs, questions wait half a second in all, and a thousand more do not wait (rule J4)', async () => {
  const hosts = follow()
  await addHost(meridian, calendar.id, { host: 'e.example', kind: 'custom', state: 'live' })
  expect(await hosts.find('e.example')).not.toBeNull()
  const release = hosts.hang()
  hosts.clock.ms += 1_000
  hosts.asked.length = 0
  const beganMs = performance.now()
  expect(await hosts.find('e.example')).not.toBeNull()
  expect(performance.now() - beganMs).toBeGreaterThan(450)
  hosts.clock.ms += 500
  const timers = vi.spyOn(globalThis, 'setTimeout')
  for (let i = 0; i < 1_000; i += 1) expect(await hosts.find(`random-${i}.example`)).toBeNull()
  expect(timers).not.toHaveBeenCalled()
  timers.mockRestore()
  expect(hosts.asked).toEqual(['executeQuery'])
  await meridian.database.db.deleteFrom('calendar_hosts').where('host', '=', 'e.example').execute()
  release()
  hosts.clock.ms += 1_000
  await expect.poll(() => hosts.find('e.example'), { timeout: 20_000 }).toBeNull()
})

test('a memory that was never filled says so instead of denying every host', async () => {
  const hosts = follow()
  hosts.setAway(true)
  await expect(hosts.find('d.example')).rejects.toThrow('away')
  hosts.setAway(false)
  expect(await hosts.find('d.example')).not.toBeNull()
})
