import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkAppKeys } from '#server/integrations/oauth/check-app-keys.ts'
import { buildSmtpMailer, logInToMailServer } from '#server/integrations/smtp/adapter.ts'
import { checkStripeKey } from '#server/integrations/stripe/stripe-client.ts'
import { describeFailure } from '#server/messages/queue/describe-failure.ts'
import { recordBackup } from '#server/platform/db/backup/write-backup.ts'
import { DataDirInUseError } from '#server/platform/db/data-dir-lock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeMail } from '#tests/support/mailer-contract.ts'
import { bookAppointment, makeCalendar, makeOwner, PRODUCTION_SETTINGS } from '#tests/support/meridian.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { readConfig } from '../config.ts'
import { buildDoctorDeps, readCertificateEnd } from './doctor-deps.ts'
import { writeReport } from './finding.ts'
import { type DoctorDeps, runDoctor } from './run-doctor.ts'

const DAY_MS = 86_400_000

/** The settings of a complete installation in which nothing is overdue. */
const ENV = {
  ...PRODUCTION_SETTINGS,
  ALLOW_HTTP: 'false',
  BASE_URL: 'https://book.example.org',
  SECRET_KEY: 'a secret for tests that is long enough',
  SUBDOMAIN_HOST: 'book.example.org',
  CUSTOM_DOMAIN_CNAME: 'domains.example.org',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_CONNECT_CLIENT_ID: 'ca_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  GOOGLE_CLIENT_ID: 'google',
  GOOGLE_CLIENT_SECRET: 'secret',
  MICROSOFT_CLIENT_ID: 'microsoft',
  MICROSOFT_CLIENT_SECRET: 'secret',
}

setUpMeridian({ hasWorkers: false })
beforeAll(async () => {
  await meridian.database.execute('delete from pgboss.job')
})

/** Dependencies that make every check pass, except for the values that a test overrides. */
function world(changes: Partial<DoctorDeps> = {}): DoctorDeps {
  const nothing = async () => {}
  return {
    now: Date.now,
    openDatabase: async () => ({ ...meridian.database, close: nothing }),
    askRunning: failing('nobody listens'),
    resolve: async () => ['192.0.2.1'],
    readCertificateEnd: async () => Date.now() + 60 * DAY_MS,
    logInToMail: nothing,
    checkStripeKey: nothing,
    checkGoogleApp: nothing,
    checkMicrosoftApp: nothing,
    ...changes,
  }
}

async function problemsOf(
  changes: Partial<DoctorDeps> = {},
  env: Readonly<Record<string, string | undefined>> = ENV,
): Promise<string[]> {
  const findings = await runDoctor(world(changes), env)
  return findings.flatMap(({ about, problem }) => (problem === null ? [] : [`${about}: ${problem}`]))
}

/** A database that returns a different result for one query. */
function answering(matches: RegExp, rows: readonly Record<string, unknown>[]): Partial<DoctorDeps> {
  const database = meridian.database
  const changed: Database = {
    ...database,
    close: async () => {},
    execute: async (text, values) =>
      matches.test(text)
        ? { ...(await database.execute(text, values)), rows: [...rows] }
        : database.execute(text, values),
  }
  return { openDatabase: async () => changed }
}

const failing = (message: string) => async () => {
  throw new Error(message)
}

test('runs every check and reports no problem where none exists', async () => {
  const findings = await runDoctor(world(), ENV)
  expect(findings.filter(({ problem }) => problem !== null)).toEqual([])
  expect(new Set(findings.map(({ about }) => about))).toEqual(
    new Set(['settings', 'database', 'clock', 'jobs', 'mail', 'dns', 'tls', 'keys', 'backup']),
  )
  expect(writeReport(findings)).toMatch(/Nothing is wrong\.\n$/)
})

test('of a sandbox, only this machine is looked at', async () => {
  const findings = await runDoctor(world({ resolve: failing('no network') }), { SECRET_KEY: ENV.SECRET_KEY })
  expect(findings.filter(({ problem }) => problem !== null)).toEqual([])
})

describe('says in a sentence what is wrong and what to do:', () => {
  test('every setting that cannot be read', async () => {
    expect(await problemsOf({}, { ...ENV, PORT: 'many', BASE_URL: undefined })).toEqual([
      'settings: PORT: needs a whole number from 0 to 65535; correct it and look again.',
      'settings: BASE_URL: production needs the public address, for links in emails; correct it and look again.',
    ])
  })

  test.each<[string, Partial<DoctorDeps>, RegExp]>([
    [
      'a database that is away',
      { openDatabase: failing('connect ECONNREFUSED 127.0.0.1:5432') },
      /^database: The database does not open \(connect ECONNREFUSED.*\); check DATABASE_URL/,
    ],
    [
      'an embedded database in use',
      {
        openDatabase: async () => {
          throw new DataDirInUseError('data')
        },
      },
      /^database: The embedded database belongs to the running product, which does not answer; stop that/,
    ],
    [
      'a name without an address',
      { resolve: async (name) => (name === 'book.example.org' ? [] : ['192.0.2.1']) },
      /^dns: book\.example\.org of BASE_URL has no address in the DNS; set an A or AAAA record/,
    ],
    [
      'a missing wildcard',
      {
        resolve: async (name) => {
          if (name.startsWith('_doctor.')) throw new Error('ENOTFOUND')
          return ['192.0.2.1']
        },
      },
      /^dns: _doctor\.book\.example\.org of SUBDOMAIN_HOST has no address.*wildcard record/,
    ],
    [
      'a target of domains that leads nowhere',
      { resolve: async (name) => (name === 'domains.example.org' ? [] : ['192.0.2.1']) },
      /^dns: domains\.example\.org of CUSTOM_DOMAIN_CNAME has no address/,
    ],
    [
      'a certificate that nobody trusts',
      { readCertificateEnd: failing('self-signed certificate') },
      /^tls: No browser trusts book\.example\.org:443 \(self-signed certificate\); check that the proxy/,
    ],
    [
      'a certificate that ends soon',
      { readCertificateEnd: async () => Date.now() + 3.5 * DAY_MS },
      /^tls: The certificate of book\.example\.org ends in 3 days and was not renewed; look into the log/,
    ],
    [
      'a mail server that refuses the login',
      { logInToMail: failing('Invalid login: 535 5.7.8') },
      /^mail: It does not \(Invalid login: 535 5\.7\.8\); check SMTP_URL/,
    ],
    [
      'a key that Stripe does not know',
      { checkStripeKey: failing('Invalid API Key provided: sk_live_*') },
      /^keys: It does not \(Invalid API Key.*\); copy STRIPE_SECRET_KEY again/,
    ],
    [
      'an app that Google does not know',
      { checkGoogleApp: failing('The OAuth client was not found.') },
      /^keys: It does not \(The OAuth client was not found\); copy GOOGLE_CLIENT_ID/,
    ],
    [
      'a secret that has ended at Microsoft',
      { checkMicrosoftApp: failing('AADSTS7000222') },
      /^keys: It does not \(AADSTS7000222\); copy MICROSOFT_CLIENT_ID again, and make a new secret/,
    ],
  ])('%s', async (_what, changes, sentence) => {
    const problems = await problemsOf(changes)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(sentence)
  })

  test('another SECRET_KEY than the one of the database', async () => {
    const other = { ...ENV, SECRET_KEY: 'another key that is also long enough' }
    const [problem, ...others] = await problemsOf({}, other)
    expect(problem).toMatch(
      /^keys: SECRET_KEY is not the key that this database was used with.*SECRET_KEY_PREVIOUS/,
    )
    expect(others).toEqual([])
    expect(await problemsOf({}, { ...other, SECRET_KEY_PREVIOUS: ENV.SECRET_KEY })).toEqual([])
  })

  test('a server that is too old', async () => {
    const [problem] = await problemsOf(answering(/server_version_num/, [{ version: '140012' }]))
    expect(problem).toBe('database: Meridian needs PostgreSQL 15 or newer; upgrade the server.')
  })

  test('a database that was never opened', async () => {
    const [problem] = await problemsOf(answering(/to_regclass/, [{ is_there: false }]))
    expect(problem).toMatch(/^database: The database is empty; start Meridian once/)
  })

  test('a database that is older, and one that is newer', async () => {
    const applied = (await meridian.database.execute('select name from schema_migrations order by name')).rows
    const question = /select name from schema_migrations/
    const [older] = await problemsOf(answering(question, applied.slice(0, -1)))
    expect(older).toMatch(/^database: The database lacks .*\.sql; start Meridian of this version/)
    const [newer] = await problemsOf(answering(question, [...applied, { name: '9999-later.sql' }]))
    expect(newer).toMatch(
      /^database: The database is of a newer version \(9999-later\.sql\); run that version/,
    )
  })

  test.each([
    [7_000, 'behind'],
    [-7_000, 'ahead of'],
  ])('a clock that differs by %i ms', async (aheadMs, word) => {
    const [problem] = await problemsOf({ now: () => Date.now() + aheadMs })
    expect(problem).toBe(`clock: The clock of the database is 7 s ${word} this machine; set both by NTP.`)
  })

  test('jobs that nobody works on, and jobs that were given up', async () => {
    const { database } = meridian
    const add = (state: string, time: string) =>
      database.execute(
        `insert into pgboss.job (name, state, start_after, completed_on)
        values ('reminders', $1::pgboss.job_state, now() - $2::interval, now() - $2::interval)`,
        [state, time],
      )
    await add('created', '5 minutes')
    await add('failed', '2 days')
    expect(await problemsOf()).toEqual([])
    await add('created', '11 minutes')
    await add('retry', '1 hour')
    await add('failed', '1 hour')
    expect(await problemsOf()).toEqual([
      'jobs: Jobs wait for more than ten minutes (2 × reminders); start a process with ROLE=worker or ROLE=all.',
      "jobs: Jobs were given up (1 × reminders); search the log of the workers for 'job given up'.",
    ])
    await database.execute('delete from pgboss.job')
  })
})

test('mails that were given up or are tried again, with what the last of them met', async () => {
  const { database } = meridian
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner, { timezone: 'UTC' })
  const booked = await bookAppointment(meridian, calendar.slug)
  expect(booked.statusCode, booked.body).toBe(201)
  expect(await problemsOf()).toEqual([])
  await database.execute(
    `update appointment_messages set state = 'given_up', updated_at = now(),
      last_error = 'The mail server’s certificate isn’t trusted'`,
  )
  await database.execute(
    `insert into pgboss.job (name, state, start_after, output)
      values ('account-mail', 'retry', now() + interval '1 hour', '{"message":"Error: self-signed certificate"}')`,
  )
  expect(await problemsOf()).toEqual([
    "mail: Mails were given up (2; the last one: The mail server’s certificate isn’t trusted); search the log of the workers for 'given up'. Check SMTP_URL, and the certificate of the mail server.",
    'mail: Mails were not taken and are tried again (1; the last one: Error: self-signed certificate). Check SMTP_URL, and the certificate of the mail server.',
  ])
  const figures = await meridian.get('/metrics')
  expect(figures.body).toContain('meridian_mails{state="given_up"} 2')
  expect(figures.body).toContain('meridian_mails{state="retried"} 1')
  await database.execute(`delete from appointment_messages`)
  await database.execute('delete from pgboss.job')
})

test('the metrics know queues, the oldest due job and the last backup', async () => {
  const { database } = meridian
  await database.execute(
    `insert into pgboss.job (name, state, start_after) values ('reminders', 'created', now() - interval '20 minutes')`,
  )
  await recordBackup(database.db, new Date('2027-01-03T00:00:00Z'))
  const { body } = await meridian.get('/metrics')
  expect(body).toContain('meridian_jobs_waiting{queue="reminders"} 1')
  expect(body).toContain('meridian_jobs_waiting{queue="account-mail"} 0')
  expect(Number(/^meridian_oldest_due_job_seconds (.*)$/m.exec(body)?.[1])).toBeGreaterThanOrEqual(1_200)
  expect(body).toContain(`meridian_last_backup_timestamp_seconds ${Date.parse('2027-01-03') / 1_000}`)
  await database.execute('delete from pgboss.job')
})

test('while the product runs on the embedded database, it looks itself', async () => {
  const found = [{ about: 'jobs', what: 'no job is late', problem: 'Jobs wait.' } as const]
  const openDatabase = async () => {
    throw new DataDirInUseError('data')
  }
  expect((await problemsOf({ openDatabase }))[0]).toContain('which does not answer')
  expect(await problemsOf({ openDatabase, askRunning: async () => [...found] })).toEqual(['jobs: Jobs wait.'])
})

test('what is wrong stands last in the report', async () => {
  const findings = await runDoctor(world({ logInToMail: failing('refused') }), ENV)
  const report = writeReport(findings).trimEnd().split('\n')
  expect(report.slice(-3)).toEqual([
    '  WRONG  mail: the mail server lets Meridian in',
    '         It does not (refused); check SMTP_URL: the host, the port, the user name and the password; for a certificate that is not trusted, use the name that it is for, or give Node the authority that signed it (NODE_EXTRA_CA_CERTS).',
    `Wrong: 1 of ${findings.length}.`,
  ])
})

describe('the world is asked as it is:', () => {
  test.each([
    ['invalid_grant', null],
    ['redirect_uri_mismatch', null],
    ['invalid_client', 'Google answers The OAuth client was not found.'],
    ['unauthorized_client', 'Google answers The OAuth client was not found.'],
  ])('an app is told %s about a code that does not exist', async (error, problem) => {
    const server = createServer((_request, response) => {
      const error_description = problem === null ? 'Malformed auth code.' : 'The OAuth client was not found.'
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error, error_description }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    // The address of a TCP server is never a string.
    const { port } = server.address() as AddressInfo
    const asked = checkAppKeys({
      provider: 'Google',
      tokenUrl: `http://127.0.0.1:${port}/token`,
      clientId: 'a',
      clientSecret: 'b',
      timeoutMs: 5_000,
    })
    if (problem === null) await asked
    else await expect(asked).rejects.toThrow(problem)
    server.close()
  })

  test('an embedded database that is not there is not made', async () => {
    const config = readConfig({ DATA_DIR: '/nowhere/meridian' })
    await expect(buildDoctorDeps().openDatabase(config)).rejects.toThrow('there is none in /nowhere/meridian')
  })

  test('a mail server whose certificate nobody signed is named so, by the doctor and to the owner', async () => {
    const server = await startSmtpServer({ secure: true })
    const url = server.url.replace('smtp:', 'smtps:')
    await expect(logInToMailServer(url, 5_000)).rejects.toThrow(/certificate/)
    const mailer = buildSmtpMailer({ url, timeoutMs: 5_000 })
    const failure = await mailer.send(makeMail()).catch(describeFailure)
    expect(failure).toBe('The mail server’s certificate isn’t trusted')
    await mailer.close()
    await server.stop()
  })

  test('a mail server, a certificate and Stripe that are not there are errors', async () => {
    await expect(logInToMailServer('smtp://127.0.0.1:1', 2_000)).rejects.toThrow()
    await expect(readCertificateEnd('127.0.0.1', 1)).rejects.toThrow()
    await expect(checkStripeKey('sk_test_1', 'http://127.0.0.1:1')).rejects.toThrow()
  })
})
