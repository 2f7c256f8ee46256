import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CommandError } from './command-error.ts'
import { askRunningProduct, buildCommandListener, type CommandListener } from './command-listener.ts'

let dataDir: string
let listener: CommandListener
const ran: string[][] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'meridian-commands-'))
  await writeFile(join(dataDir, 'commands.json'), 'left by a process that was killed')
  listener = buildCommandListener(dataDir, {
    repeat: async (args) => {
      ran.push([...args])
      return args
    },
    refuse: async () => {
      throw new CommandError('Not today.')
    },
    break: async () => {
      throw new Error('a secret detail')
    },
  })
  await listener.listen()
})
afterAll(() => rm(dataDir, { recursive: true }))

const ask = (...words: string[]) => askRunningProduct(dataDir, words, 10_000)

test('whoever can read the data directory runs commands, and reads why one is refused', async () => {
  expect(await ask('repeat', 'a', 'ö')).toEqual(['a', 'ö'])
  await expect(ask('refuse')).rejects.toThrow(new CommandError('Not today.'))
  await expect(ask('break')).rejects.toThrow('the running product answers 500')
  for (const name of ['unknown', 'toString', '__proto__'])
    await expect(ask(name)).rejects.toThrow('does not know the command')
})

test('nobody else does: the file with the token is its owner’s, and a guess or a long text runs nothing', async () => {
  const path = join(dataDir, 'commands.json')
  expect((await stat(path)).mode & 0o077).toBe(0)
  const { port, token } = JSON.parse(await readFile(path, 'utf8'))
  ran.length = 0
  const body = JSON.stringify(['repeat', 'x'])
  for (const authorization of ['', 'Bearer guessed', `Bearer ${'x'.repeat(43)}`]) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { authorization },
      body,
    })
    expect([answer.status, await answer.json()]).toEqual([403, null])
  }
  for (const sent of [JSON.stringify(['repeat', 'x'.repeat(20_000)]), '{"repeat":1}', '[]', 'no json']) {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })
    expect(answer.status).not.toBe(200)
  }
  expect(ran).toEqual([])
})

test('once the product has ended, it does not answer, and its file is gone', async () => {
  await listener.close()
  expect(existsSync(join(dataDir, 'commands.json'))).toBe(false)
  await expect(ask('repeat')).rejects.toThrow('ENOENT')
})
