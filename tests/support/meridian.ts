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
import { retryUntilPasses } from './eventually.ts'
import { GENEROUS_BUDGETS } from './generous-budgets.ts'
import { openTestDatabase } from './test-database.ts'
import { listUndeclaredProblems } from './undeclared-problems.ts'

/** A Monday morning, one hour before a new calendar opens in London. */
export const TEST_MONDAY = Date.parse('2027-01-04T08:00:00Z')

/** An operator's production settings, where they differ from the sandbox. Tests send and store nothing through them. */
export const PRODUCTION_SETTINGS = {
  NODE_ENV: 'production',
  ALLOW_HTTP: 'true',
  DATA_DIR: 'not used',
  SMTP_URL: 'smtp://127.0.0.1:1',
} as const

/** The secret key of every server that tests start, unless they choose another. */
export const TEST_SECRET_KEY = 'a secret for tests that is long enough'

export type TestMeridian = Meridian &
  RequestSender & {
    /** Every message that was passed to the mailer, oldest first. */
    readonly mails: OutgoingMail[]
    /** Every logged line, at every level. */
    readonly logLines: string[]
    /** Meridian's current time; set `.ms` to move it. */
    readonly clock: { ms: number }
    readonly request: (
      options: InjectOptions & { cookie?: string | undefined },
    ) => Promise<LightMyRequestResponse>
    /** Sends requests with a person's session cookie; without a cookie, as a visitor. */
    readonly as: (person: { readonly cookie: string | undefined }) => RequestSender
    /** Waits for a matching message; fails after 30 s. */
    readonly waitForMail: (fits: (mail: OutgoingMail) => boolean) => Promise<OutgoingMail>
  }

/** Sends requests. A payload is sent as JSON. */
export type RequestSender = {
  readonly get: (url: string) => Promise<LightMyRequestResponse>
  readonly delete: (url: string) => Promise<LightMyRequestResponse>
} & Readonly<
  Record<
    'post' | 'put' | 'patch',
    (url: string, payload?: InjectOptions['payload']) => Promise<LightMyRequestResponse>
  >
>

export type TestOptions = {
  /** Environment variables that override the tests' defaults. */
  readonly env?: Readonly<Record<string, string>>
  /** The database to use (a real server, for example) instead of a copy of the embedded template. */
  readonly database?: Database
  /** Adds pages, as the served product does. */
  readonly extend?: Substitutes['extend']
  /** A real mailer, instead of the default mailer that only records messages. It is closed together with Meridian. */
  readonly mailer?: Mailer
  readonly providers?: Substitutes['providers']
  readonly calendarProviders?: Substitutes['calendarProviders']
  readonly billing?: Substitutes['billing']
  readonly dns?: Substitutes['dns']
  readonly fetchAddress?: Substitutes['fetchAddress']
  /** False: no worker runs jobs, so no email is sent. For tests with hundreds of bookings that are about something else. */
  readonly hasWorkers?: boolean
  /** How long messages about a move wait for an undo, in seconds; 0 by default. */
  readonly undoSeconds?: number
  /** Maximum wait for a database connection, in milliseconds; `TEST_DATABASE_TIMEOUT_MS` by default. */
  readonly timeoutMs?: number
}

/**
 * Starts all of Meridian on a separate database, with a clock that stands still and a mailer that only records. No periodic job
 * runs by itself: a test about such a job calls it.
 */
export async function startMeridian(options: TestOptions = {}): Promise<TestMeridian> {
  const database = options.database ?? (await openTestDatabase(options.timeoutMs))
  const clock = { ms: TEST_MONDAY }
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
  // The start schedules periodic jobs. Remove them, or they would run in the middle of a test on a busy machine.
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

function buildSender(request: TestMeridian['request'], cookie: string | undefined): RequestSender {
  const send =
    (method: 'POST' | 'PUT' | 'PATCH'): RequestSender['post'] =>
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

/** Deletes the queued jobs of these kinds, and waits for those that are running. */
async function cancelJobs(database: Database, kinds: readonly string[]): Promise<void> {
  await database.execute(`delete from pgboss.job where name = any ($1::text[]) and state = 'created'`, [
    kinds,
  ])
  const running = `select name from pgboss.job where name = any ($1::text[]) and state = 'active'`
  await retryUntilPasses(async () => deepEqual((await database.execute(running, [kinds])).rows, []))
}

const verdicts = new Map<string, Promise<boolean>>()

/** Verifies each password against each hash only once, because a verification takes a tenth of a second. */
function verifyOnce({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const key = JSON.stringify([hash, password])
  const verdict = verdicts.get(key) ?? verifyPassword({ hash, password })
  verdicts.set(key, verdict)
  return verdict
}

/** Waits until `find` returns a value; fails after 30 s. */
export async function waitFor<Found>(find: () => Found | undefined | null): Promise<Found> {
  for (const endMs = Date.now() + 30_000; Date.now() < endMs; ) {
    const found = find()
    if (found !== undefined && found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('waited 30 s in vain')
}

/** A logged-in owner who sends requests: `owner.get(url)`. */
export type TestOwner = RequestSender & {
  readonly id: string
  readonly email: string
  readonly cookie: string
}

export const TEST_PASSWORD = 'correct horse battery'
/** Computed once, because hashing takes a tenth of a second. */
let passwordHash: Promise<string> | undefined
let owners = 0

/** Makes an owner with a confirmed email address who is logged in. */
export async function makeOwner(
  meridian: TestMeridian,
  owner: { name?: string; tier?: 'professional' | 'business' | 'enterprise' } = {},
): Promise<TestOwner> {
  owners += 1
  passwordHash ??= hashPassword(TEST_PASSWORD)
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
  const response = await meridian.post('/api/auth/sign-in', { email, password: TEST_PASSWORD })
  if (response.statusCode !== 200) throw new Error(`not signed in: ${response.body}`)
  const cookie = toCookieHeader(response)
  return { id, email, cookie, ...meridian.as({ cookie }) }
}

/** Builds the cookie header that a browser would send after this response. */
export function toCookieHeader(response: LightMyRequestResponse): string {
  return response.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
}

let calendars = 0

/**
 * Makes a calendar in London, open Monday to Friday 09:00–17:00. It belongs to a new person, so that an owner's calendars do not
 * block each other's times, unless the body names a person: `person_name: ''` is the owner.
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
    // Padded, so that lists sorted by name are in order of creation.
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

/** A booking request body: Monday 09:00 in London unless `body` says otherwise. */
export function makeBookingBody(body: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    starts_at: '2027-01-04T09:00:00Z',
    time_zone: 'Europe/London',
    customer: { name: 'Grace Hopper', email: 'grace@example.com' },
    ...body,
  }
}

/** Books an appointment on a public calendar. */
export function bookAppointment(
  meridian: TestMeridian,
  slug: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return meridian.request({
    method: 'POST',
    url: `/api/public/calendars/${slug}/appointments`,
    headers,
    payload: makeBookingBody(body),
  })
}
