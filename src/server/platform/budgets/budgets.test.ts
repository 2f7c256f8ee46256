import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseBudgetAmounts } from '#core/shared/budgets.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { toPseudonym } from '#tests/support/to-pseudonym.ts'
import { type Budgets, buildBudgets } from './budgets.ts'
import { spendClientBudget } from './spend-client-budget.ts'

let database: Database
let clock = { ms: 0 }
let metrics: Registry
let lines: unknown[][]

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** Builds rate limits of three uses an hour. */
function makeBudgets(db: Db = database.db): Budgets {
  clock = { ms: Date.parse('2027-01-04T08:00:00Z') }
  metrics = new Registry()
  lines = []
  const { amounts } = parseBudgetAmounts('webhook_checks=3')
  const log = { warn: (...line: unknown[]) => void lines.push(line) }
  return buildBudgets({ db, now: () => clock.ms, log, amounts, metrics, toPseudonym })
}

function useOf(subject: string) {
  return { budget: 'webhook_checks', subject } as const
}

test('a budget allows its amount in a window and then says how long to wait', async () => {
  const budgets = makeBudgets()
  const use = useOf('one client')
  for (let i = 0; i < 3; i++) expect(await budgets.spend([use])).toBeNull()
  clock.ms += 10 * 60_000
  expect(await budgets.spend([use])).toEqual({ budget: 'webhook_checks', waitSeconds: 50 * 60 })
  expect(await budgets.spend([useOf('another client')])).toBeNull()
  clock.ms += 50 * 60_000
  expect(await budgets.spend([use])).toBeNull()
})

test('of a hundred uses at once exactly as many are let through as the budget allows', async () => {
  const budgets = makeBudgets()
  const answers = await Promise.all(Array.from({ length: 100 }, () => budgets.spend([useOf('at once')])))
  expect(answers.filter((answer) => answer === null)).toHaveLength(3)
})

test('several uses at once count together, as long as one is left, and are given back together', async () => {
  const budgets = makeBudgets()
  const series = { ...useOf('series'), uses: 2 }
  expect(await budgets.spend([series])).toBeNull()
  expect(await budgets.spend([series])).toBeNull()
  expect(await budgets.spend([useOf('series')])).not.toBeNull()
  await budgets.uncount([series])
  expect(await budgets.spend([useOf('series')])).toBeNull()
  expect(await budgets.spend([useOf('series')])).not.toBeNull()
})

test('what comes after a spent budget in the list is not counted', async () => {
  const budgets = makeBudgets()
  const [spent, untouched] = [useOf('spent'), useOf('untouched')]
  for (let i = 0; i < 3; i++) await budgets.spend([spent])
  for (let i = 0; i < 5; i++) expect(await budgets.spend([spent, untouched])).not.toBeNull()
  for (let i = 0; i < 3; i++) expect(await budgets.spend([untouched])).toBeNull()
})

test('looking counts nothing, and a use that did not happen is given back', async () => {
  const budgets = makeBudgets()
  const use = useOf('given back')
  for (let i = 0; i < 5; i++) expect(await budgets.find([use])).toBeNull()
  for (let i = 0; i < 3; i++) await budgets.spend([use])
  expect(await budgets.find([use])).not.toBeNull()
  await budgets.uncount(use)
  expect(await budgets.spend([use])).toBeNull()
  await budgets.clear(use)
  expect(await budgets.find([use])).toBeNull()
})

test('what was taken together is given back together, and what was not used leaves no row', async () => {
  const budgets = makeBudgets()
  const uses = [
    { budget: 'bookings_client', subject: 'together' },
    { budget: 'bookings_email', subject: 'together' },
  ] as const
  const read = async () => {
    const keys = `key like 'bookings%'`
    const { rows } = await database.execute(`select used from budget_uses where ${keys} order by key`)
    return rows.map(({ used }) => used)
  }
  await budgets.spend(uses)
  await budgets.spend(uses.slice(0, 1))
  expect(await read()).toEqual([2, 1])
  await budgets.uncount(uses)
  expect(await read()).toEqual([1])
  await budgets.uncount(uses)
  expect(await read()).toEqual([])
})

test('a spent budget in the middle of the list is the one that is told', async () => {
  const budgets = makeBudgets()
  const first = { budget: 'bookings_client', subject: 'in order' } as const
  const middle = useOf('in order')
  const last = { budget: 'bookings_email', subject: 'in order' } as const
  for (let i = 0; i < 3; i++) expect(await budgets.spend([first, middle, last])).toBeNull()
  expect(await budgets.spend([first, middle, last])).toMatchObject({ budget: 'webhook_checks' })
  const { rows } = await database.execute(
    `select used from budget_uses where key like 'bookings%' order by key`,
  )
  expect(rows).toEqual([{ used: 4 }, { used: 3 }])
})

test('counts wait for the disk only when they are committed with something else', async () => {
  await database.db.transaction().execute(async (trx) => {
    const readSetting = async () =>
      (await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(trx)).rows[0]
        ?.synchronous_commit
    await makeBudgets().spend([useOf('with a booking')], trx)
    expect(await readSetting()).toBe('on')
    await makeBudgets(trx).spend([useOf('alone')])
    expect(await readSetting()).toBe('off')
  })
  await makeBudgets().spend([useOf('alone')])
  const { rows } = await database.execute('show synchronous_commit')
  expect(rows).toEqual([{ synchronous_commit: 'on' }])
})

test('nothing to take is room enough', async () => {
  expect(await makeBudgets().spend([])).toBeNull()
})

test('a spent budget is logged once for each window, counted each time, and names nobody', async () => {
  const budgets = makeBudgets()
  const use = useOf('mallory@example.com')
  for (let i = 0; i < 8; i++) await budgets.spend([use])
  expect(lines).toHaveLength(1)
  expect(JSON.stringify(lines)).not.toContain('mallory')
  expect(await metrics.metrics()).toContain('meridian_budget_spent_total{budget="webhook_checks"} 5')
  const { rows } = await database.execute('select key from budget_uses')
  expect(JSON.stringify(rows)).not.toContain('mallory')
})

test('a network has the amount of a few clients, and once it is used up its clients leave no rows', async () => {
  const budgets = makeBudgets()
  const before = await countRows()
  const answers: boolean[] = []
  for (let i = 0; i < 12; i++) {
    const client = { address: `2001:db8:1:${i}::`, network: '2001:db8:1::/48' }
    answers.push((await spendClientBudget(budgets, { budget: 'webhook_checks', client })) === null)
  }
  expect(answers).toEqual([...Array(9).fill(true), false, false, false])
  // There is one row for each of the nine allowed clients, and one for the network.
  expect((await countRows()) - before).toBe(10)
})

test('a client that has used up its own amount uses up no more of its network', async () => {
  const budgets = makeBudgets()
  const take = (address: string) =>
    spendClientBudget(budgets, {
      budget: 'webhook_checks',
      client: { address, network: '2001:db8:2::/48' },
    })
  for (let i = 0; i < 20; i++) await take('2001:db8:2:1::')
  const neighbours: boolean[] = []
  for (let i = 0; i < 7; i++) neighbours.push((await take(`2001:db8:2:a${i}::`)) === null)
  expect(neighbours).toEqual([...Array(6).fill(true), false])
})

async function countRows(): Promise<number> {
  return (await database.execute('select key from budget_uses')).rows.length
}
