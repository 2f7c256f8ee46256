import type pg from 'pg'
import { expect, test } from 'vitest'
import { sendBeginWithFirstStatement } from './send-begin-with-first-statement.ts'

/** A fake connection that records the statements it receives; it rejects `broken`. */
function makeClient() {
  const wire: string[] = []
  const client = {
    query: async (text: string) => {
      wire.push(text)
      if (text === 'broken') throw new Error('refused')
      return { rows: [text] }
    },
  }
  sendBeginWithFirstStatement(client as unknown as pg.PoolClient)
  const query = client.query as (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  return { wire, query }
}

test('what begins a transaction is sent with its first statement, in this order', async () => {
  const { wire, query } = makeClient()
  expect(await query('begin', [])).toMatchObject({ rows: [] })
  expect(wire).toEqual([])
  const first = query('select 1')
  // Neither statement waits for the other's result.
  expect(wire).toEqual(['begin', 'select 1'])
  expect(await first).toEqual({ rows: ['select 1'] })
  await query('select 2')
  expect(wire).toEqual(['begin', 'select 1', 'select 2'])
})

test('a failure is told, and what comes after is sent as ever', async () => {
  const { wire, query } = makeClient()
  await query('begin')
  await expect(query('broken')).rejects.toThrow('refused')
  expect(await query('rollback')).toEqual({ rows: ['rollback'] })
  expect(wire).toEqual(['begin', 'broken', 'rollback'])
})

test('a connection that does not begin a transaction sends what it is asked, in this order', async () => {
  const { wire, query } = makeClient()
  const asked = [query('first'), query('broken'), query('last')]
  expect(await Promise.allSettled(asked)).toMatchObject([
    { value: { rows: ['first'] } },
    { status: 'rejected' },
    { value: { rows: ['last'] } },
  ])
  expect(wire).toEqual(['first', 'broken', 'last'])
})
