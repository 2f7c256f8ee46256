import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureWebBuild } from './web-build.ts'

let rootDir: string
let builds: number

beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), 'web-build-'))
  builds = 0
  await write('src/web/entries/app/main.tsx', 'one')
  await write('src/contract/words.ts', 'one')
  await write('src/core/rules.ts', 'one')
  await write('src/server/main.ts', 'one')
  await write('vite.config.ts', 'one')
  await write('package-lock.json', '{}')
})
afterEach(() => rm(rootDir, { recursive: true, force: true }))

test('a missing build is made, and made once', async () => {
  expect(await ensure()).toEqual({ built: true })
  expect(await ensure()).toEqual({ built: false })
  expect(await page()).toBe('build 1')
})

test.each([
  'src/web/entries/app/main.tsx',
  'src/contract/words.ts',
  'src/core/rules.ts',
  'vite.config.ts',
  'package-lock.json',
])('a change of %s makes it stale', async (path) => {
  await ensure()
  await appendFile(join(rootDir, path), ' and two')
  expect(await ensure()).toEqual({ built: true })
  expect(await page()).toBe('build 2')
})

test('a new file and a removed file make it stale', async () => {
  await ensure()
  await write('src/web/public/robots.txt', '')
  expect(await ensure()).toEqual({ built: true })
  await rm(join(rootDir, 'src/web/public/robots.txt'))
  expect(await ensure()).toEqual({ built: true })
})

test('a change of the server or of a test does not', async () => {
  await ensure()
  await appendFile(join(rootDir, 'src/server/main.ts'), ' and two')
  await write('src/web/entries/app/main.test.tsx', 'a test')
  expect(await ensure()).toEqual({ built: false })
})

test('force builds what is fresh', async () => {
  await ensure()
  expect(await ensureWebBuild({ rootDir, build, force: true })).toEqual({ built: true })
})

test('a failed build leaves the old one and no rubbish, and is tried again', async () => {
  await ensure()
  await appendFile(join(rootDir, 'src/web/entries/app/main.tsx'), ' and a mistake')
  const fail = async (outputDir: string) => {
    await writeFile(join(outputDir, 'half.js'), '')
    throw new Error('no such module')
  }
  await expect(ensureWebBuild({ rootDir, build: fail })).rejects.toThrow('no such module')
  expect(await page()).toBe('build 1')
  expect(await readdir(join(rootDir, 'dist'))).toEqual(['web'])
  expect(await ensure()).toEqual({ built: true })
})

test('a build that was cut short is made again', async () => {
  await ensure()
  await rm(join(rootDir, 'dist/web/.vite/manifest.json'))
  expect(await ensure()).toEqual({ built: true })
})

test('without the sources the shipped build is used as it is', async () => {
  await ensure()
  await rm(join(rootDir, 'src/web'), { recursive: true })
  expect(await ensure()).toEqual({ built: false })
})

test('without the sources and without a build the message says what is missing', async () => {
  await rm(join(rootDir, 'src/web'), { recursive: true })
  await expect(ensure()).rejects.toThrow('There is no web build in')
})

test('where the build tools are not installed the message says so', async () => {
  await expect(ensureWebBuild({ rootDir })).rejects.toThrow('the tools to build it are not installed')
})

function ensure() {
  return ensureWebBuild({ rootDir, build })
}

async function build(outputDir: string): Promise<void> {
  builds += 1
  await mkdir(join(outputDir, '.vite'), { recursive: true })
  await writeFile(join(outputDir, 'index.html'), `build ${builds}`)
  await writeFile(join(outputDir, '.vite/manifest.json'), '{}')
}

function page(): Promise<string> {
  return readFile(join(rootDir, 'dist/web/index.html'), 'utf8')
}

async function write(path: string, text: string): Promise<void> {
  const file = join(rootDir, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
