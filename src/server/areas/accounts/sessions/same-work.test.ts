import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareCpuCosts } from '#tests/support/cpu-cost.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_PASSWORD } from '#tests/support/meridian.ts'
import { recordStatements, type Statement } from '#tests/support/record-statements.ts'

/**
 * Whether an email address has an account must not change the work of a request: work done in only one of the cases
 * takes time, which an attacker can measure. Only the jobs that run afterwards look the account up.
 */
const recorder = recordStatements()
let hashes = 0

setUpMeridian({ env: { ROLE: 'web' } })
beforeAll(async () => {
  // No worker runs here, so that only the requests send SQL statements.
  const { auth } = meridian.deps
  const fitsHash = auth.fitsHash
  Object.assign(auth, {
    fitsHash: (hash: string | null, password: string) => {
      hashes += 1
      return fitsHash(hash, password)
    },
  })
})
afterAll(async () => {
  recorder.stop()
})

const REGISTRANT = 'the password of the registration'
let addresses = 0

test.each([
  ['a login with a wrong password', (email: string) => signIn(email, 'wrong password'), 2, false],
  ['a request for a new password', (email: string) => post('password-reset-request', { email }), 0, true],
  ['a registration', (email: string) => register(email), 0, true],
  ['another address', (email: string) => changeAddress(email), 0, true],
])(
  '%s does the same whether the address has an account, a registration, both or neither',
  async (_what, ask, checked, isMailed) => {
    await ask(newAddress())
    const done = []
    for (const email of await makeAddresses()) {
      const before = hashes
      const statements = await recorder.during(() => ask(email))
      done.push({ texts: textsOf(statements), hashes: hashes - before })
    }
    const [first, ...others] = done
    expect(first?.texts.length).toBeGreaterThan(2)
    expect(first?.texts.some(isJobInsert)).toBe(isMailed)
    expect(first?.hashes).toBe(checked)
    for (const other of others) expect(other).toEqual(first)
  },
)

test('a login with the password of a registration does the same whether the address has an account', async () => {
  const done = []
  for (const email of [newAddress(), (await makeOwner(meridian)).email]) {
    await register(email)
    const before = hashes
    const answer = await recorder.during(() => signIn(email, REGISTRANT))
    done.push({ texts: textsOf(answer), hashes: hashes - before })
  }
  expect(done[0]?.texts.length).toBeGreaterThan(2)
  expect(done[1]).toEqual(done[0])
})

test('an unknown address is compared with a hash that costs as much as that of an account', async () => {
  const { auth } = meridian
  await auth.fitsHash(null, 'warm-up')
  const hash = await auth.hashPassword(TEST_PASSWORD)
  const tryHash = async (stored: string | null, password: string) => {
    expect(await auth.fitsHash(stored, password)).toBe(false)
  }
  let tried = 0
  const [known, unknown] = await compareCpuCosts(
    () => tryHash(hash, `never tried ${tried++}`),
    () => tryHash(null, `never tried ${tried++}`),
  )
  expect(unknown).toBeGreaterThan(known / 3)
  expect(known).toBeGreaterThan(unknown / 3)
})

/** Creates one address of each kind: with an account, with a registration, with both, and with neither. */
async function makeAddresses(): Promise<string[]> {
  const [registered, account, both] = [newAddress(), await makeOwner(meridian), await makeOwner(meridian)]
  await register(registered)
  await register(both.email)
  return [account.email, registered, both.email, newAddress()]
}

/** Returns the SQL of a request, without the statements that the job queue sends for its own maintenance. */
function textsOf(statements: readonly Statement[]): string[] {
  return statements
    .filter(({ text }) => !text.includes('pgboss') || isJobInsert(text))
    .map(({ text }) => text)
}

/** `JobQueue.insert` sends the jobs as one JSON text. */
function isJobInsert(text: string): boolean {
  return /insert into pgboss\.job/i.test(text) && /json_to_recordset/i.test(text)
}

async function changeAddress(email: string): Promise<void> {
  asker ??= await makeOwner(meridian)
  const payload = { email, current_password: TEST_PASSWORD }
  const answer = await meridian.as(asker).patch('/api/profile', payload)
  expect(answer.statusCode, answer.body).toBe(200)
}
let asker: Awaited<ReturnType<typeof makeOwner>> | undefined

function register(email: string) {
  return post('sign-up', { full_name: 'Ada', email, password: REGISTRANT })
}

function signIn(email: string, password: string) {
  return post('sign-in', { email, password })
}

function post(path: string, payload: object) {
  return meridian.post(`/api/auth/${path}`, payload)
}

function newAddress(): string {
  addresses += 1
  return `same-${addresses}@example.com`
}
