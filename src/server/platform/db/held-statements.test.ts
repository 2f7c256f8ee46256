import type pg from 'pg'
import { expect, test } from 'vitest'
import { holdBack, SAVEPOINT } from './held-statements.ts'

/** A connection that writes down what reaches it; `broken` is refused. */
function makeClient() {
  const wire: string[] = []
  const client = {
    connection: { stream: { cork: () => wire.push('<'), uncork: () => wire.push('>') } },
    query: async (text: string) => {
      wire.push(text)
      if (text === 'broken') throw new Error('refused')
      return { rows: [text] }
    },
  }
  holdBack(client as unknown as pg.PoolClient)
  const query = client.query as (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  return { wire, query }
}

/** What was asked in this turn has been sent. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('what begins a transaction is sent with its first statement, in this order and in one packet', async () => {
  const { wire, query } = makeClient()
  expect(await query('begin', [])).toMatchObject({ rows: [] })
  expect(wire).toEqual([])
  expect(await query('select 1')).toEqual({ rows: ['select 1'] })
  await nextTurn()
  expect(wire).toEqual(['<', 'begin', 'select 1', '>'])
  await query('select 2')
  await nextTurn()
  expect(wire.slice(4)).toEqual(['<', 'select 2', '>'])
})

test('a savepoint that is released at once is sent whole, with what follows', async () => {
  const { wire, query } = makeClient()
  for (const text of [SAVEPOINT.set, SAVEPOINT.release]) await query(text)
  await query('commit')
  await nextTurn()
  expect(wire).toEqual(['<', SAVEPOINT.set, SAVEPOINT.release, 'commit', '>'])
})

test('a failure is told, and what comes after is sent as ever', async () => {
  const { wire, query } = makeClient()
  await query('begin')
  await expect(query('broken')).rejects.toThrow('refused')
  await nextTurn()
  expect(await query('rollback')).toEqual({ rows: ['rollback'] })
  await nextTurn()
  expect(wire).toEqual(['<', 'begin', 'broken', '>', '<', 'rollback', '>'])
})

test('what is asked in one go is sent in one packet, in this order, and each is told its own', async () => {
  const { wire, query } = makeClient()
  const asked = [query('begin'), query('first'), query('broken'), query('last')]
  expect(await Promise.allSettled(asked)).toMatchObject([
    { status: 'fulfilled' },
    { value: { rows: ['first'] } },
    { status: 'rejected' },
    { value: { rows: ['last'] } },
  ])
  await nextTurn()
  expect(wire).toEqual(['<', 'begin', 'first', 'broken', 'last', '>'])
})
