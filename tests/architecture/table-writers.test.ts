import { describe, expect, test } from 'vitest'
import { listSourceFiles } from './list-source-files.ts'
import { FOREIGN_WRITERS, listSharedTables, listUnneededExceptions, listWriters } from './table-writers.ts'

describe('one writer for each table, on planted files', () => {
  test.each([
    ['an insert', `await trx.insertInto('payments').values(row).execute()`],
    ['an update', `await trx\n    .updateTable('payments')\n    .set(change)`],
    ['a deletion', `await trx.deleteFrom('payments as old').execute()`],
    ['an insert in SQL', 'await sql`insert into payments (id) values (1)`.execute(trx)'],
    ['an update in SQL', 'await sql`\n    update payments set at = now()`.execute(trx)'],
    ['a deletion in SQL', 'sql`with old as (delete from payments returning id) select 1`'],
  ])('%s by a second folder is found', (_what, text) => {
    const files = [plant('a', `trx.insertInto('payments')`), plant('b', text)]
    expect(listSharedTables(files, [])).toEqual(['payments: a, b'])
  })

  test.each([
    ['a reader', `await db.selectFrom('payments').forUpdate().execute()`],
    ['a lock', 'sql`select id from payments for update of payments skip locked`'],
    ['an upsert of another table', 'sql`insert into uses (id) values (1) on conflict do update set id = 2`'],
    ['a comment', `/** The rows that\n * update payments wrote. */`],
  ])('%s is no writer', (_what, text) => {
    const files = [plant('a', `trx.insertInto('payments')`), plant('b', text)]
    expect(listSharedTables(files, [])).toEqual([])
  })

  test('one folder may write a table from several files', () => {
    const files = [plant('a', `trx.insertInto('payments')`), plant('a', `trx.deleteFrom('payments')`)]
    expect(listSharedTables(files, [])).toEqual([])
  })

  test('an entry allows one writer more, and only of its table', () => {
    const files = ['a', 'b', 'c'].map((folder) => plant(folder, `trx.insertInto('payments')`))
    const entry = { table: 'payments', folder: 'c', because: 'it cleans up' }
    expect(listSharedTables(files, [entry])).toEqual(['payments: a, b'])
    expect(listSharedTables(files, [{ ...entry, table: 'bills' }])).toEqual(['payments: a, b, c'])
  })

  test('an entry that allows nothing is found', () => {
    const files = [plant('a', `trx.insertInto('payments')`)]
    const entries = ['a', 'b'].map((folder) => ({ table: 'payments', folder, because: 'it cleans up' }))
    expect(listUnneededExceptions(files, entries)).toEqual(entries)
  })
})

describe('one writer for each table, in this project', () => {
  test('no two folders write a table, but for what is listed', async () => {
    const files = await listSourceFiles()
    expect(listWriters(files).size).toBeGreaterThan(15)
    expect(listSharedTables(files, FOREIGN_WRITERS)).toEqual([])
  })

  test('nothing is listed that is not needed', async () => {
    expect(listUnneededExceptions(await listSourceFiles(), FOREIGN_WRITERS)).toEqual([])
  })
})

function plant(folder: string, text: string) {
  return { path: `src/server/records/${folder}/repository.ts`, text }
}
