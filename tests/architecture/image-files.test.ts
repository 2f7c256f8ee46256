import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig } from '#server/app/config.ts'
import { ROOT } from './run-tool.ts'

/** Settings that the image or the compose file fixes for containers, or that production must not have. */
const SET_BY_IMAGE: ReadonlySet<string> = new Set([
  'NODE_ENV',
  'HOST',
  'PORT',
  'DATA_DIR',
  // compose.yaml has a database server.
  'BACKUP_DIR',
  'TRUST_PROXY',
  // Production is always reached over https.
  'ALLOW_HTTP',
  'DEMO',
])

const service = z.object({
  environment: z.record(z.string(), z.string()),
})
const composeSchema = z.object({ services: z.record(z.string(), service) })

let dockerfile: string
let compose: z.infer<typeof composeSchema>

beforeAll(async () => {
  dockerfile = await readText('Dockerfile')
  compose = composeSchema.parse(parse(await readText('compose.yaml'), { merge: true }))
})

describe('the Dockerfile', () => {
  test('takes the Node that the project pins, and gives up the rights of root', async () => {
    const { devDependencies } = JSON.parse(await readText('package.json'))
    for (const image of linesOf('FROM')) expect(image).toMatch(`node:${devDependencies.node}-bookworm-slim`)
    expect(linesOf('USER')).toEqual(['node'])
  })

  test('copies only what is there', async () => {
    const sources = linesOf('COPY').filter((line) => !line.startsWith('--from') && !line.startsWith('.'))
    const missing = sources
      .flatMap((line) => line.split(' ').slice(0, -1))
      .map((path) => readText(path).catch((error: NodeJS.ErrnoException) => error.code))
    expect(await Promise.all(missing)).not.toContain('ENOENT')
  })
})

describe('compose.yaml', () => {
  test('gives web and worker settings that the product starts with', () => {
    for (const role of ['web', 'worker']) {
      const { environment } = getService(role)
      const config = readConfig({ NODE_ENV: 'production', HOST: '0.0.0.0', ...fill(environment) })
      expect(config.ROLE).toBe(role)
    }
    expect(fill(getService('web').environment).TRUST_PROXY).toBe('1')
  })

  test('names only settings that exist', async () => {
    const example = await readText('.env.example')
    const names = ['web', 'worker'].flatMap((role) => Object.keys(getService(role).environment))
    for (const name of names) expect(example).toMatch(new RegExp(`^#?${name}=`, 'm'))
  })

  test('hands on every setting that an operator may give', async () => {
    const settings = [...(await readText('.env.example')).matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
    for (const role of ['web', 'worker']) {
      const handedOn = Object.keys(getService(role).environment)
      const missing = settings.filter((name) => name !== undefined && !handedOn.includes(name))
      expect(missing.filter((name) => !SET_BY_IMAGE.has(name ?? ''))).toEqual([])
    }
  })
})

function linesOf(instruction: string): string[] {
  return dockerfile
    .split('\n')
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1))
}

function getService(name: string): z.infer<typeof service> {
  const found = compose.services[name]
  if (found === undefined) throw new Error(`compose.yaml has no service ${name}`)
  return found
}

/** Fills in the variables as docker compose does for an operator who sets only the required ones. */
function fill(environment: Readonly<Record<string, string>>): Record<string, string> {
  const given: Record<string, string> = {
    DOMAIN: 'book.example.org',
    POSTGRES_PASSWORD: 'secret',
    SECRET_KEY: 'x'.repeat(32),
    SMTP_URL: 'smtps://mail.example.org',
  }
  const filled = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+)(:-|:\?)[^}]*\}/g, (_, variable: string) => given[variable] ?? ''),
  ])
  return Object.fromEntries(filled)
}

function readText(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8')
}
