import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHousekeeping } from '#server/records/housekeeping/jobs.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, startMeridian, TEST_PASSWORD, type TestMeridian } from '#tests/support/meridian.ts'
import { inviteOwner } from './invite.ts'

setUpMeridian({ env: { REGISTRATION: 'invited' } })

const DAY_MS = 86_400_000

let closed: TestMeridian
beforeAll(async () => {
  closed = await startMeridian({
    database: { ...meridian.database, close: async () => {} },
    env: { REGISTRATION: 'closed' },
    // The other one sends the emails.
    hasWorkers: false,
  })
})
afterAll(() => closed.stop())

let addresses = 0

function newEmail(): string {
  addresses += 1
  return `invited-${addresses}@example.com`
}

function signUp(email: string, invitation?: string) {
  const body = { full_name: 'Ada Example', email, password: TEST_PASSWORD }
  return meridian.post('/api/auth/sign-up', invitation === undefined ? body : { ...body, invitation })
}

/** Invites an address, and returns the id in the emailed link. */
async function invite(email: string): Promise<string> {
  const before = meridian.mails.length
  await inviteOwner(meridian.deps, email)
  const mail = await meridian.waitForMail(
    (one) =>
      meridian.mails.indexOf(one) >= before && one.to.address === email && one.subject === 'You’re invited',
  )
  const [, url = ''] = /(http\S+register\S+)/.exec(mail.text) ?? []
  const query = new URL(url).searchParams
  expect(query.get('email')).toBe(email)
  return query.get('invitation') ?? ''
}

/** Registers with an invitation, and returns the token of the confirmation link. */
async function register(email: string, invitation: string): Promise<string> {
  const before = meridian.mails.length
  expect((await signUp(email, invitation)).statusCode).toBe(200)
  const mail = await meridian.waitForMail(
    (one) => meridian.mails.indexOf(one) >= before && one.to.address === email && one.text.includes('token='),
  )
  return decodeURIComponent(/token=(\S+)/.exec(mail.text)?.[1] ?? '')
}

function confirm(token: string, at: TestMeridian = meridian) {
  return at.post('/api/auth/email-verification', { token })
}

test('without an invitation nobody registers, whether their address has an account or not', async () => {
  const owner = await makeOwner(meridian)
  for (const email of [newEmail(), owner.email]) {
    expectRefusal(await signUp(email), 'auth.invitation_required')
    expectRefusal(await signUp(email, 'guessed'), 'auth.invitation_invalid')
    expectRefusal(await signUp(email, '00000000-0000-4000-8000-000000000001'), 'auth.invitation_invalid')
  }
})

test('an invitation makes one account, of its address only, and its owner sees who invited them', async () => {
  const email = newEmail()
  const invitation = await invite(email)
  expectRefusal(await signUp(newEmail(), invitation), 'auth.invitation_invalid')
  const [first, second] = [await register(email, invitation), await register(email, invitation)]
  expectRefusal(await confirm(first), 'auth.registration_replaced')
  expect((await confirm(second)).statusCode).toBe(200)
  expectRefusal(await signUp(email, invitation), 'auth.invitation_invalid')
  const { rows } = await meridian.database.execute(
    'select action from operator_actions join profiles on profiles.id = user_id where email = $1',
    [email],
  )
  expect(rows).toEqual([{ action: 'invited' }])
  // The link that made the account still says so.
  expect((await confirm(second)).json()).toMatchObject({ ok: true })
})

test('another invitation of an address voids the one before', async () => {
  const email = newEmail()
  const [first, second] = [await invite(email), await invite(email)]
  expectRefusal(await signUp(email, first), 'auth.invitation_invalid')
  expect((await signUp(email, second)).statusCode).toBe(200)
})

test('an invitation expires after 14 days, also between the registration and its confirmation, and is forgotten', async () => {
  const email = newEmail()
  const invitation = await invite(email)
  meridian.clock.ms += 14 * DAY_MS - 1_000
  const token = await register(email, invitation)
  meridian.clock.ms += 1_000
  expectRefusal(await signUp(email, invitation), 'auth.invitation_invalid')
  expectRefusal(await confirm(token), 'auth.invitation_invalid')
  meridian.clock.ms += 1
  await runHousekeeping({ db: meridian.database.db, now: () => meridian.clock.ms })
  const { rows } = await meridian.database.execute('select email from invitations where email = $1', [email])
  expect(rows).toEqual([])
})

test('an address with an account is not invited', async () => {
  const owner = await makeOwner(meridian)
  expect(await inviteOwner(meridian.deps, owner.email)).toBeNull()
})

describe('a closed installation', () => {
  test('takes no registration, and confirms none that was made before', async () => {
    const email = newEmail()
    const token = await register(email, await invite(email))
    const body = { full_name: 'Ada Example', email: newEmail(), password: TEST_PASSWORD }
    expectRefusal(await closed.post('/api/auth/sign-up', body), 'auth.registration_closed')
    expectRefusal(await confirm(token, closed), 'auth.registration_closed')
    // Nothing was used up.
    expect((await confirm(token)).statusCode).toBe(200)
  })

  test('says so on its pages', () => {
    expect([closed, meridian].map(({ deps }) => deps.site().registration)).toEqual(['closed', 'invited'])
  })
})
