import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCommit } from './read-commit.ts'

const PERSON = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']

let folder: string
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-read-commit-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('a record names its commit, and says when other files differ from that commit', async () => {
  expect(await readCommit(folder)).toBe('unknown: not in a git repository')
  git('init', '--quiet')
  await writeFile(join(folder, 'code.ts'), 'one')
  git('add', '.')
  git(...PERSON, 'commit', '--quiet', '--message', 'Write code')
  const commit = git('rev-parse', '--short=10', 'HEAD')
  expect(await readCommit(folder)).toBe(commit)

  await mkdir(join(folder, 'bench/results'), { recursive: true })
  await writeFile(join(folder, 'bench/results/slots.json'), '{}')
  expect(await readCommit(folder)).toBe(commit)

  await writeFile(join(folder, 'code.ts'), 'two')
  expect(await readCommit(folder)).toBe(`${commit} with uncommitted changes`)
})
