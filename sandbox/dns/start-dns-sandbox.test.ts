import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { type DnsSandbox, startDnsSandbox } from './start-dns-sandbox.ts'

const TARGETS = { name: 'pages.localhost', addresses: ['127.0.0.1'] }
const HOST = 'termine.osei.localhost'

let database: Database
let sandbox: DnsSandbox

beforeAll(async () => {
  database = await openTestDatabase()
  sandbox = await startDnsSandbox({ db: database.db, targets: TARGETS })
})
afterAll(async () => {
  await sandbox.stop()
  await database.close()
})
beforeEach(async () => {
  await database.execute("delete from sandbox_objects where provider = 'dns'")
})

async function send(path: string, form: Readonly<Record<string, string>>) {
  const { origin } = new URL(sandbox.pageUrl)
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  return { status: answer.status, html: await answer.text() }
}

const add = (type: string, name: string, value: string) => send('/dns', { type, name, value })
const readPage = async () => (await fetch(sandbox.pageUrl)).text()

test('both servers answer with the set records, in any letter case', async () => {
  await add('TXT', `_meridian-challenge.${HOST}`, 'one')
  await add('TXT', `_meridian-challenge.${HOST.toUpperCase()}.`, 'Two')
  expect(await sandbox.dns.listTexts(`_meridian-challenge.${HOST}`)).toEqual(
    Array(2).fill({ outcome: 'found', found: ['Two', 'one'] }),
  )
})

test('a name can point to the installation by CNAME, by a chain of names, or by addresses', async () => {
  await add('CNAME', HOST, 'edge.osei.localhost')
  await add('CNAME', 'edge.osei.localhost', 'Pages.localhost.')
  await add('A', 'osei.localhost', '127.0.0.1')
  await add('AAAA', 'osei.localhost', '::1')
  const [chain] = await sandbox.dns.listResolvedNames(HOST)
  expect(chain).toEqual({
    outcome: 'found',
    found: { names: ['edge.osei.localhost', 'pages.localhost'], addresses: ['127.0.0.1'] },
  })
  const [root] = await sandbox.dns.listResolvedNames('osei.localhost')
  expect(root).toEqual({ outcome: 'found', found: { names: [], addresses: ['127.0.0.1', '::1'] } })
  expect(await sandbox.dns.listResolvedNames('nothing.localhost')).toEqual(Array(2).fill({ outcome: 'none' }))
})

test('a loop of CNAME records ends', async () => {
  await add('CNAME', HOST, HOST)
  const [answer] = await sandbox.dns.listResolvedNames(HOST)
  expect(answer?.outcome).toBe('found')
})

test('a removed record has no answer', async () => {
  await add('TXT', HOST, 'one')
  const [, id = ''] = /\/dns\/records\/([\w-]+)\/removal/.exec(await readPage()) ?? []
  expect((await send(`/dns/records/${id}/removal`, {})).status).toBe(303)
  expect(await sandbox.dns.listTexts(HOST)).toEqual(Array(2).fill({ outcome: 'none' }))
  expect(await readPage()).toContain('There are no records.')
})

test('the servers can stop answering and can contradict each other', async () => {
  await add('TXT', HOST, 'one')
  await send('/dns/mood', { mood: 'silent' })
  expect(await sandbox.dns.listTexts(HOST)).toEqual(Array(2).fill({ outcome: 'unknown' }))
  await send('/dns/mood', { mood: 'contradicting' })
  expect(await sandbox.dns.listTexts(HOST)).toEqual([
    { outcome: 'found', found: ['one'] },
    { outcome: 'none' },
  ])
  await send('/dns/mood', { mood: 'good' })
  expect(await sandbox.dns.listTexts(HOST)).toEqual(Array(2).fill({ outcome: 'found', found: ['one'] }))
})

test('typed values are escaped, and invalid records are refused', async () => {
  await add('TXT', HOST, '<script>alert(1)</script>')
  expect(await readPage()).not.toContain('<script>')
  const refused = await add('TXT', '', '')
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('Please give a name and a value.')
})
