import { deepEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Calendar, CreateCalendarBody } from '#contract/calendars/calendars.ts'
import { compose, type Meridian, type Substitutes } from '#server/app/compose.ts'
import { readConfig } from '#server/app/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { buildLog } from '#server/platform/log.ts'
import type { Mailer, OutgoingMail } from '#server/ports/mailer.ts'
import { eventually } from './eventually.ts'
import { GENEROUS_BUDGETS } from './generous-budgets.ts'
import { openTestDatabase } from './test-database.ts'
import { listUndeclaredProblems } from './undeclared-problems.ts'

/** A Monday morning, an hour before a new calendar opens in London. */
export const MONDAY = Date.parse('2027-01-04T08:00:00Z')

/** The settings of an operator, for what differs from the sandbox. Nothing is sent or stored by them in tests. */
export const IN_PRODUCTION = {
  NODE_ENV: 'production',
  ALLOW_HTTP: 'true',
  DATA_DIR: 'not used',
  SMTP_URL: 'smtp://127.0.0.1:1',
} as const

/** The key of every product that tests start, unless they choose another. */
export const TEST_SECRET_KEY = 'a secret for tests that is long enough'

export type TestMeridian = Meridian &
  Sender & {
    /** Every message that was handed over, in order. */
    readonly mails: OutgoingMail[]
    /** Every line that was logged, at every level. */
    readonly logLines: string[]
    /** What the product takes for the present; set `.ms` to move it. */
    readonly clock: { ms: number }
    readonly request: (
      options: InjectOptions & { cookie?: string | undefined },
    ) => Promise<LightMyRequestResponse>
    /** Sends requests with a person's session; without a cookie, as a visitor. */
    readonly as: (person: { readonly cookie: string | undefined }) => Sender
    /** Waits for the n-th message that fits; fails after 30 s. */
    readonly waitForMail: (fits: (mail: OutgoingMail) => boolean) => Promise<OutgoingMail>
  }

/** Sends requests, with JSON in those that have a payload. */
export type Sender = {
  readonly get: (url: string) => Promise<LightMyRequestResponse>
  readonly delete: (url: string) => Promise<LightMyRequestResponse>
} & Readonly<
  Record<
    'post' | 'put' | 'patch',
    (url: string, payload?: InjectOptions['payload']) => Promise<LightMyRequestResponse>
  >
>

export type TestOptions = {
  /** Environment variables that differ from the tests' defaults. */
  readonly env?: Readonly<Record<string, string>>
  /** A database of its own (a real server, say) instead of a copy of the embedded template. */
  readonly database?: Database
  /** Adds pages, as the product itself does when it serves. */
  readonly extend?: Substitutes['extend']
  /** Sends for real instead of keeping; closed with the product. */
  readonly mailer?: Mailer
  readonly providers?: Substitutes['providers']
  readonly calendarProviders?: Substitutes['calendarProviders']
  readonly billing?: Substitutes['billing']
  readonly dns?: Substitutes['dns']
  readonly fetchAddress?: Substitutes['fetchAddress']
  /** False: nobody works on the jobs, so no mail leaves. For hundreds of bookings in a test that is about something else. */
  readonly hasWorkers?: boolean
  /** How long the messages about a move wait; none of them unless told otherwise. */
  readonly undoSeconds?: number
  /** Longest wait for a connection; `DATABASE_LIMIT_MS` unless told otherwise. */
  readonly timeoutMs?: number
}

/**
 * The whole product on a database of its own, with a clock that stands still and a mailer that keeps. No round is made by itself:
 * a test that is about one calls it.
 */
export async function startMeridian(options: TestOptions = {}): Promise<TestMeridian> {
  const database = options.database ?? (await openTestDatabase(options.timeoutMs))
  const clock = { ms: MONDAY }
  const mails: OutgoingMail[] = []
  const logLines: string[] = []
  const mailer: Mailer = options.mailer ?? {
    send: async (mail) => {
      mails.push(mail)
    },
    close: async () => {},
  }
  const config = readConfig({
    BASE_URL: 'http://localhost:3000',
    SECRET_KEY: TEST_SECRET_KEY,
    PUBLIC_REQUESTS_PER_MINUTE: '100000',
    OVERLOAD_DELAY_MS: '0',
    BUDGETS: GENEROUS_BUDGETS,
    ...options.env,
  })
  const meridian = await compose(config, {
    now: () => clock.ms,
    database,
    mailer,
    verifyPassword: verifyOnce,
    log: buildLog('trace', { write: (line) => logLines.push(line) }),
    undoSeconds: options.undoSeconds ?? 0,
    ...(options.extend === undefined ? {} : { extend: options.extend }),
    ...(options.providers === undefined ? {} : { providers: options.providers }),
    ...(options.calendarProviders === undefined ? {} : { calendarProviders: options.calendarProviders }),
    ...(options.dns === undefined ? {} : { dns: options.dns }),
    ...(options.billing === undefined ? {} : { billing: options.billing }),
    ...(options.fetchAddress === undefined ? {} : { fetchAddress: options.fetchAddress }),
  })
  if (options.hasWorkers ?? true) await meridian.startWorkers()
  // The start queues rounds. On a busy machine they would run in the middle of a test.
  const { rows } = await database.execute('delete from pgboss.schedule returning name')
  await cancelJobs(
    database,
    rows.map(({ name }) => String(name)),
  )
  const request: TestMeridian['request'] = ({ cookie, headers, ...rest }) =>
    meridian.app.inject({
      ...rest,
      headers: { host: 'localhost:3000', ...headers, ...(cookie === undefined ? {} : { cookie }) },
    })
  return {
    ...meridian,
    async stop() {
      await meridian.stop()
      deepEqual(listUndeclaredProblems(logLines), [], 'refusals that their operations do not declare')
    },
    mails,
    logLines,
    clock,
    request,
    ...buildSender(request, undefined),
    as: ({ cookie }) => buildSender(request, cookie),
    waitForMail: (fits) => waitFor(() => mails.find(fits)),
  }
}

function buildSender(request: TestMeridian['request'], cookie: string | undefined): Sender {
  const send =
    (method: 'POST' | 'PUT' | 'PATCH'): Sender['post'] =>
    (url, payload) =>
      request({ method, url, cookie, ...(payload === undefined ? {} : { payload }) })
  return {
    get: (url) => request({ url, cookie }),
    delete: (url) => request({ method: 'DELETE', url, cookie }),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
  }
}

/** Takes back the jobs of these kinds that are queued, and waits for those that run. */
async function cancelJobs(database: Database, kinds: readonly string[]): Promise<void> {
  await database.execute(`delete from pgboss.job where name = any ($1::text[]) and state = 'created'`, [
    kinds,
  ])
  const running = `select name from pgboss.job where name = any ($1::text[]) and state = 'active'`
  await eventually(async () => deepEqual((await database.execute(running, [kinds])).rows, []))
}

const verdicts = new Map<string, Promise<boolean>>()

/** Each password is checked for real against each hash once, because that takes a tenth of a second. */
function verifyOnce({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const key = JSON.stringify([hash, password])
  const verdict = verdicts.get(key) ?? verifyPassword({ hash, password })
  verdicts.set(key, verdict)
  return verdict
}

/** Waits until `find` gives something; fails after 30 s. */
export async function waitFor<Found>(find: () => Found | undefined | null): Promise<Found> {
  for (const endMs = Date.now() + 30_000; Date.now() < endMs; ) {
    const found = find()
    if (found !== undefined && found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('waited 30 s in vain')
}

/** An owner who is signed in, and sends requests: `owner.get(url)`. */
export type TestOwner = Sender & { readonly id: string; readonly email: string; readonly cookie: string }

export const PASSWORD = 'correct horse battery'
/** Made once: it takes a tenth of a second. */
let passwordHash: Promise<string> | undefined
let owners = 0

/** An owner with a confirmed address, signed in. */
export async function makeOwner(
  meridian: TestMeridian,
  owner: { name?: string; tier?: 'professional' | 'business' | 'enterprise' } = {},
): Promise<TestOwner> {
  owners += 1
  passwordHash ??= hashPassword(PASSWORD)
  const id = randomUUID()
  const email = `owner-${owners}-${id.slice(0, 8)}@example.com`
  const name = owner.name ?? 'Ada Lovelace'
  const [first_name = '', last_name = ''] = name.split(' ')
  const { db } = meridian.database
  await db
    .insertInto('profiles')
    .values({ id, email, email_verified: true, full_name: name, first_name, last_name, avatar_url: null })
    .execute()
  await db
    .insertInto('accounts')
    .values({
      id: randomUUID(),
      user_id: id,
      account_id: id,
      provider_id: 'credential',
      password: await passwordHash,
    })
    .execute()
  if (owner.tier !== undefined) {
    await db.insertInto('subscriptions').values({ user_id: id, tier: owner.tier, ends_at: null }).execute()
  }
  const response = await meridian.post('/api/auth/sign-in', { email, password: PASSWORD })
  if (response.statusCode !== 200) throw new Error(`not signed in: ${response.body}`)
  const cookie = toCookieHeader(response)
  return { id, email, cookie, ...meridian.as({ cookie }) }
}

/** The cookies that an answer sets, as a browser would send them back. */
export function toCookieHeader(response: LightMyRequestResponse): string {
  return response.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
}

let calendars = 0

/**
 * A calendar of the owner: London, open Monday to Friday 09:00–17:00. It has a person of its own, so that the calendars of an owner do not
 * take each other's times, unless the body says whose time it is: `person_name: ''` is the owner's.
 */
export async function makeCalendar(
  meridian: TestMeridian,
  owner: TestOwner,
  body: Partial<CreateCalendarBody> = {},
): Promise<Calendar> {
  calendars += 1
  const response = await meridian.request({
    method: 'POST',
    url: '/api/calendars',
    cookie: owner.cookie,
    // Padded, so that lists by name are in the order in which the calendars were made.
    payload: { name: `Practice ${String(calendars).padStart(4, '0')}`, timezone: 'Europe/London', ...body },
  })
  if (response.statusCode !== 201) throw new Error(`no calendar: ${response.body}`)
  const calendar: Calendar = response.json()
  if (body.person_name !== undefined) return calendar
  const person = { id: randomUUID(), name: `Person ${calendars}` }
  const { db } = meridian.database
  await db
    .insertInto('hosts')
    .values({ ...person, user_id: owner.id })
    .execute()
  await db.updateTable('calendars').set({ host_id: person.id }).where('id', '=', calendar.id).execute()
  return { ...calendar, person: { ...person, is_owner: false } }
}

/** What a customer sends; Monday 09:00 in London unless told otherwise. */
export function bookingBody(body: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    starts_at: '2027-01-04T09:00:00Z',
    time_zone: 'Europe/London',
    customer: { name: 'Grace Hopper', email: 'grace@example.com' },
    ...body,
  }
}

/** Books on a public calendar. */
export function book(
  meridian: TestMeridian,
  slug: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return meridian.request({
    method: 'POST',
    url: `/api/public/calendars/${slug}/appointments`,
    headers,
    payload: bookingBody(body),
  })
}
