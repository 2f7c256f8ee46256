import { equal, match, ok } from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DAY_MS } from '#core/shared/duration.ts'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { runLongCheck } from './run-proof.ts'

/**
 * Builds the last stage of the Dockerfile in a folder with the Dockerfile's own commands, so that it contains only the image's
 * files and packages. Proves that Meridian in it starts, becomes ready, serves a page, sends an email, processes a logo, takes
 * a booking and stops. Docker is not needed.
 */
const ROOT = join(import.meta.dirname, '../..')
const START_TIMEOUT_MS = 120_000
const BYTES_PER_MB = 1_048_576
const BASE_URL = 'https://book.example.org'
const OWNER = { email: 'ada@practice.example', password: 'correct horse battery' }
/** A red square. */
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><rect width="80" height="80" fill="red"/></svg>'

await runLongCheck(async (counts, begin) => {
  const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'meridian-image-'))
  // The results of the other stages: the web build of this checkout and the production packages.
  const builds = linesOf(dockerfile, 'RUN').filter((command) => command === 'npm run build')
  const [, packages = '', last = ''] = dockerfile.split(/^FROM .*$/m).slice(1)
  begin()
  for (const command of builds) run(command, ROOT)
  for (const line of linesOf(packages, 'COPY')) copy(line, folder)
  for (const command of linesOf(packages, 'RUN')) run(command, folder)
  for (const line of linesOf(last, 'COPY')) {
    if (!line.startsWith('--from=packages')) copy(line.replace(/^--from=web \/app\//, ''), folder)
  }
  counts['packages (MB)'] = Math.round(sizeOf(join(folder, 'node_modules')) / BYTES_PER_MB)
  counts['all files (MB)'] = Math.round(sizeOf(folder) / BYTES_PER_MB)

  const smtp = await startSmtpServer()
  const port = await findFreePort()
  const startMs = performance.now()
  const [, ...args] = JSON.parse(linesOf(last, 'CMD')[0] ?? '[]')
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      BASE_URL,
      SECRET_KEY: 'the secret key of an image that is tried out',
      SMTP_URL: smtp.url,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.on('exit', () => child.kill('SIGKILL'))
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  while (
    !(await ask('/readyz').then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    ok(child.exitCode === null && performance.now() - startMs < START_TIMEOUT_MS, 'it starts')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  counts['ready after (ms)'] = Math.round(performance.now() - startMs)
  match(await (await ask('/')).text(), /<title>/)
  equal((await ask('/login')).status, 200)
  const practice = await openPractice(port, smtp)
  counts['logo drawn after (ms)'] = await drawLogo(practice)
  await bookAppointment(practice, smtp)
  counts['emails sent'] = smtp.received.length
  child.kill('SIGTERM')
  const code = await new Promise((resolve) => child.once('exit', resolve))
  equal(code, 0, 'it stops')
  await smtp.stop()
  await rm(folder, { recursive: true })
})

type Smtp = Awaited<ReturnType<typeof startSmtpServer>>
type Practice = {
  readonly id: string
  readonly slug: string
  readonly call: <Answer>(method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>
}

/** Registers an owner, confirms through the link in the email, logs in and makes a calendar. */
async function openPractice(port: number, smtp: Smtp): Promise<Practice> {
  let cookie = ''
  const call: Practice['call'] = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      // As a browser behind a proxy that does not pass the Host header on.
      headers: {
        cookie,
        origin: BASE_URL,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    ok(answer.ok, `${method} ${path} answers ${answer.status}: ${text}`)
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0])
    if (cookies.length > 0) cookie = cookies.join('; ')
    return text === '' ? null : JSON.parse(text)
  }
  await call('POST', '/auth/sign-up', { full_name: 'Ada Lovelace', ...OWNER })
  const { parsed } = await readMail(smtp, OWNER.email)
  const token = /token=([\w.-]+)/.exec(parsed.text ?? '')?.[1]
  ok(token !== undefined, 'the email has a link')
  await call('POST', '/auth/email-verification', { token })
  await call('POST', '/auth/sign-in', OWNER)
  const calendar = await call<{ id: string; slug: string }>('POST', '/calendars', {
    name: 'Practice',
    timezone: 'UTC',
  })
  return { ...calendar, call }
}

/** @returns the duration in milliseconds */
async function drawLogo({ id, call }: Practice): Promise<number> {
  const startMs = performance.now()
  const file = Buffer.from(LOGO).toString('base64')
  const logo = await call<{ width: number }>('POST', `/calendars/${id}/branding/logo`, { file })
  ok(logo.width > 0, 'the logo has a size')
  return Math.round(performance.now() - startMs)
}

/** Books the first available time, and waits for the customer's email. */
async function bookAppointment({ slug, call }: Practice, smtp: Smtp): Promise<void> {
  const path = `/public/calendars/${slug}`
  const customer = { name: 'Grace Hopper', email: 'grace@customer.example' }
  const from = new Date(Date.now() + 7 * DAY_MS)
  // The first Monday from then on. A new calendar is open on Mondays.
  const startsAt = new Date(from.getTime() + ((8 - from.getUTCDay()) % 7) * DAY_MS)
  startsAt.setUTCHours(10, 0, 0, 0)
  await call('POST', `${path}/appointments`, {
    starts_at: startsAt.toISOString(),
    time_zone: 'UTC',
    customer,
  })
  const { parsed } = await readMail(smtp, customer.email)
  match(parsed.text ?? '', /https:\/\/book\.example\.org\//)
}

async function readMail(smtp: Smtp, to: string): Promise<Smtp['received'][number]> {
  return retryUntilPasses(async () => {
    const mail = smtp.received.find(({ envelope }) => envelope.to.includes(to))
    ok(mail !== undefined, `an email to ${to}`)
    return mail
  })
}

function linesOf(dockerfile: string, instruction: string): string[] {
  const lines = dockerfile.split('\n').filter((line) => line.startsWith(`${instruction} `))
  return lines.map((line) => line.slice(instruction.length + 1))
}

/** Runs a COPY instruction whose source is the checkout, to a path or into the folder itself. */
function copy(line: string, folder: string): void {
  const paths = line.split(' ')
  const to = paths.pop() ?? ''
  for (const path of paths) {
    cpSync(join(ROOT, path), join(folder, to === './' ? basename(path) : to), { recursive: true })
  }
}

function run(command: string, cwd: string): void {
  const [program = '', ...args] = command.split(' ')
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
