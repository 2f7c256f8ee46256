import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compressAssets } from './compress-assets.ts'

/** Files and folders that the web build depends on. */
const SOURCES = [
  'src/web',
  'src/contract',
  'src/core',
  'tools/embed-scripts.ts',
  'vite.config.ts',
  'package-lock.json',
]
const OUTPUT = 'dist/web'
const HASH_FILE = '.build-hash'
/** Vite writes the manifest last, so a folder without it is an incomplete build. */
const MANIFEST = '.vite/manifest.json'

type WebBuildOptions = {
  /** Builds even when nothing has changed. */
  readonly force?: boolean
  /** The project's root folder. */
  readonly rootDir?: string
  /** Builds into the given folder. */
  readonly build?: (outputDir: string) => Promise<void>
}

/**
 * Makes sure that `dist/web` was built from the current sources; builds it when it is missing or outdated. In an installation
 * without the sources, a finished build must exist.
 * @returns whether it had to build
 * @throws Error that says what to do when there is no build and none can be made
 */
export async function ensureWebBuild(options: WebBuildOptions = {}): Promise<{ readonly built: boolean }> {
  const rootDir = options.rootDir ?? join(import.meta.dirname, '..')
  const output = join(rootDir, OUTPUT)
  if (!existsSync(join(rootDir, 'src/web'))) {
    if (existsSync(join(output, MANIFEST))) return { built: false }
    throw new Error(
      `There is no web build in ${output}, and no src/web to build it from. Copy dist/web here.`,
    )
  }

  const hash = await hashSources(rootDir)
  if (!options.force && existsSync(join(output, MANIFEST)) && (await readBuiltHash(output)) === hash) {
    return { built: false }
  }
  const build = options.build ?? ((outputDir) => runVite(rootDir, outputDir))
  await replaceFolder(output, async (fresh) => {
    await build(fresh)
    if (existsSync(join(fresh, 'assets'))) await compressAssets(join(fresh, 'assets'))
    await writeFile(join(fresh, HASH_FILE), hash)
  })
  return { built: true }
}

/** Computes a hash of every file that the build depends on, except tests. */
async function hashSources(rootDir: string): Promise<string> {
  const lists = await Promise.all(SOURCES.map((source) => listFiles(rootDir, source)))
  const paths = lists.flat().sort()
  const contents = await Promise.all(paths.map((path) => readFile(join(rootDir, path))))
  const hash = createHash('sha256')
  paths.forEach((path, index) => {
    const content = contents[index] ?? ''
    hash.update(`${path}\0${content.length}\0`).update(content)
  })
  return hash.digest('hex')
}

async function listFiles(rootDir: string, source: string): Promise<string[]> {
  if (!existsSync(join(rootDir, source))) return []
  if (/\.(ts|json)$/.test(source)) return [source]
  const entries = await readdir(join(rootDir, source), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(rootDir.length + 1))
}

async function readBuiltHash(output: string): Promise<string | null> {
  return readFile(join(output, HASH_FILE), 'utf8').catch(() => null)
}

/** Fills a new folder and then replaces the old one with it, so that a failed build leaves the old one in place. */
async function replaceFolder(folder: string, fill: (fresh: string) => Promise<void>): Promise<void> {
  const fresh = `${folder}.${process.pid}.new`
  const old = `${folder}.${process.pid}.old`
  try {
    await mkdir(fresh, { recursive: true })
    await fill(fresh)
    if (existsSync(folder)) await rename(folder, old)
    await rename(fresh, folder)
  } finally {
    await rm(fresh, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
}

async function runVite(rootDir: string, outputDir: string): Promise<void> {
  const vite = join(rootDir, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) {
    throw new Error(
      'The web build is missing or out of date, and the tools to build it are not installed. ' +
        'Run npm ci --include=dev, or bring the dist/web that belongs to these sources.',
    )
  }
  await runNode(rootDir, [vite, 'build', '--outDir', outputDir, '--emptyOutDir', '--logLevel', 'warn'])
  // The code with which the server renders pages. It lies outside of all served folders.
  await runNode(rootDir, [
    vite,
    'build',
    '--ssr',
    '--outDir',
    join(outputDir, 'server'),
    '--logLevel',
    'warn',
  ])
}

async function runNode(rootDir: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: rootDir,
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (exitCode !== 0) throw new Error(`The web build failed:\n${output}`)
}

// When run directly (`npm run build`), builds even when nothing has changed.
if (import.meta.main) await ensureWebBuild({ force: true })
