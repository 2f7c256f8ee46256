import { beforeEach, describe, expect, test } from 'vitest'
import { makeFakeBilling } from '#tests/support/fake-billing-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  TEST_PASSWORD,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { buyPlan } from '#tests/support/plan-owner.ts'
import { totpAt } from '#tests/support/totp.ts'
import { CommandError } from './command-error.ts'
import { runOperatorCommand } from './operator-commands.ts'

const billing = makeFakeBilling(() => TEST_MONDAY)
// Use the product's own rate limits.
setUpMeridian({ billing, env: { BUDGETS: 'login_client=1000', REGISTRATION: 'invited' } })

let owner: TestOwner
beforeEach(async () => {
  await meridian.database.execute('delete from budget_uses')
  owner = await makeOwner(meridian)
})

function run(...words: string[]): Promise<string[]> {
  return runOperatorCommand(meridian.deps, words)
}

function signIn({ email }: TestOwner, password = TEST_PASSWORD) {
  return meridian.request({ method: 'POST', url: '/api/auth/sign-in', payload: { email, password } })
}

async function actionsOf(one: TestOwner): Promise<(string | null)[][]> {
  const { actions } = (await one.get('/api/security/operator-actions')).json()
  return actions.map(({ action, detail }: { action: string; detail: string | null }) => [action, detail])
}

/** Waits a second, so that actions have an order. */
function later(): void {
  meridian.clock.ms += 1_000
}

describe('refuses in a sentence, and changes nothing:', () => {
  test.each([
    [[], 'Say what to do:'],
    [['constructor'], 'Say what to do:'],
    [['unlock'], 'Say it so: npm run operator -- unlock EMAIL [undo]'],
    [['owners', 'a', 'b'], 'Say it so: npm run operator -- owners [TEXT]'],
    [['unlock', 'ada'], 'ada is not an email address.'],
    [['unlock', 'nobody@example.com'], 'No account has the address nobody@example.com.'],
    [['resend-mail', 'nobody@example.com'], 'No account has the address'],
    [['remove-second-factor', 'nobody@example.com'], 'No account has the address'],
    [['give-plan', 'nobody@example.com', 'business'], 'No account has the address'],
  ])('%j', async (words, sentence) => {
    const refused = run(...words)
    await expect(refused).rejects.toBeInstanceOf(CommandError)
    await expect(refused).rejects.toThrow(sentence)
  })

  test('a second factor that is not there, a plan that does not exist, an unlocking that was not', async () => {
    await expect(run('remove-second-factor', owner.email)).rejects.toThrow('has no second factor')
    await expect(run('give-plan', owner.email, 'free')).rejects.toThrow('There is no plan free')
    await expect(run('unlock', owner.email, 'undo')).rejects.toThrow('was not unlocked before')
    await expect(run('unlock', owner.email, 'Undo')).rejects.toThrow('Say "undo"')
    await expect(run('invite', owner.email)).rejects.toThrow('has an account already')
    expect(await actionsOf(owner)).toEqual([])
  })

  test('an invitation where nobody can register', async () => {
    const deps = { ...meridian.deps, registration: 'closed' } as const
    await expect(runOperatorCommand(deps, ['invite', 'ada@example.org'])).rejects.toThrow(
      'REGISTRATION=closed',
    )
  })
})

test('owners and open invitations are listed, all or by a part of their address', async () => {
  await run('invite', 'New.Owner@Example.org')
  await makeCalendar(meridian, owner)
  const all = await run('owners')
  expect(all).toContain('Registration: invited')
  expect(all).toContain('  new.owner@example.org  until 2027-01-18')
  const [, count, line, invitations] = await run('owners', owner.email.toUpperCase())
  expect([count, invitations]).toEqual(['Owners: 1', 'Open invitations: 0'])
  expect(line).toMatch(new RegExp(`^  ${owner.email}  Ada Lovelace  since .* Free  calendars: 1$`))
})

test('unlocking lets an owner try again at once; undone, everything counts as before; the owner reads both', async () => {
  for (let i = 0; i < 31; i += 1) await signIn(owner, 'a guess')
  expect((await signIn(owner)).statusCode).toBe(429)
  expect((await run('unlock', owner.email))[0]).toContain('can try again at once')
  expect((await signIn(owner)).statusCode).toBe(200)
  later()
  await run('unlock', owner.email, 'undo')
  expect((await signIn(owner)).statusCode).toBe(429)
  expect(await actionsOf(owner)).toEqual([
    ['unlock_undone', null],
    ['unlocked', null],
  ])
  await expect(run('unlock', owner.email, 'undo')).rejects.toThrow('was not unlocked before')
  meridian.clock.ms += 60_000
  expect((await signIn(owner)).statusCode).toBe(200)
})

test('an unlocking that is undone later than the counts would have lasted locks nobody out', async () => {
  for (let i = 0; i < 31; i += 1) await signIn(owner, 'a guess')
  await run('unlock', owner.email)
  meridian.clock.ms += 60_000
  await run('unlock', owner.email, 'undo')
  expect((await signIn(owner)).statusCode).toBe(200)
})

test('what another owner was refused stays refused', async () => {
  const other = await makeOwner(meridian)
  for (let i = 0; i < 31; i += 1) await signIn(other, 'a guess')
  await run('unlock', owner.email)
  expect((await signIn(other)).statusCode).toBe(429)
  expect(await actionsOf(other)).toEqual([])
})

test('removing a second factor lets the password alone log in, voids trusted devices, and emails the owner', async () => {
  const post = (path: string, payload: object) => owner.post(`/api/security/two-factor${path}`, payload)
  const { secret } = (await post('', { password: TEST_PASSWORD })).json()
  await post('/confirmation', { code: totpAt(secret, Date.now()) })
  expect((await signIn(owner)).json().user).toBeNull()
  await run('remove-second-factor', owner.email)
  expect((await signIn(owner)).json()).toMatchObject({ user: { email: owner.email } })
  await meridian.waitForMail(
    ({ to, subject }) => to.address === owner.email && subject === 'Two-factor authentication is off',
  )
  const { rows } = await meridian.database.execute('select id from two_factors where user_id = $1', [
    owner.id,
  ])
  expect(rows).toEqual([])
  expect(await actionsOf(owner)).toEqual([['second_factor_removed', null]])
})

test('a given plan counts at once and until it is taken back, which pauses calendars beyond the default plan', async () => {
  const planOf = async () => (await owner.get('/api/subscription')).json().subscription_tier
  await run('give-plan', owner.email, 'business')
  expect(await planOf()).toBe('Business')
  for (let i = 0; i < 2; i += 1) await makeCalendar(meridian, owner)
  later()
  await run('give-plan', owner.email, 'default')
  expect(await planOf()).toBe('Free')
  const { rows } = await meridian.database.execute('select is_paused from calendars where user_id = $1', [
    owner.id,
  ])
  expect(rows.filter(({ is_paused }) => is_paused)).toHaveLength(1)
  expect(await actionsOf(owner)).toEqual([
    ['plan_given', 'free'],
    ['plan_given', 'business'],
  ])
})

test('a plan that its owner pays for is not replaced', async () => {
  await buyPlan({ meridian, billing }, owner, 'professional')
  await expect(run('give-plan', owner.email, 'business')).rejects.toThrow('pays for a plan at Stripe')
  expect((await owner.get('/api/subscription')).json().subscription_tier).toBe('Professional')
  expect(await actionsOf(owner)).toEqual([])
})

test('emails that failed are sent again, except those that no longer match their appointment, and of this owner only', async () => {
  const other = await makeOwner(meridian)
  const failed: string[] = []
  for (const one of [owner, other]) {
    const { slug } = await makeCalendar(meridian, one)
    const email = `customer-of-${one.id}@example.com`
    await bookAppointment(meridian, slug, { customer: { name: 'Grace', email } })
    await meridian.waitForMail(({ to }) => to.address === email)
    failed.push(email)
  }
  const at = new Date(meridian.clock.ms)
  await meridian.database.execute(
    `update appointment_messages set state = 'given_up', last_error = 'away', updated_at = $1 where recipient = 'customer'`,
    [at],
  )
  const mailsTo = (email: string | undefined) =>
    meridian.mails.filter(({ to }) => to.address === email).length
  const before = failed.map(mailsTo)
  expect(await run('resend-mail', owner.email)).toEqual([`Emails of ${owner.email} that are sent again: 1`])
  await meridian.waitForMail(() => mailsTo(failed[0]) > (before[0] ?? 0))
  expect(mailsTo(failed[1])).toBe(before[1])
  expect(await actionsOf(owner)).toEqual([['emails_sent_again', '1']])
  await meridian.database.execute(
    `update appointments set status = 'cancelled' where calendar_id in (select id from calendars where user_id = $1)`,
    [other.id],
  )
  expect(await run('resend-mail', other.email)).toEqual([
    `Emails of ${other.email} that are sent again: 0`,
    'Left out, because they no longer match their appointment: 1',
  ])
})

test('the log of the product names the command and no address', async () => {
  await run('unlock', owner.email)
  const lines = meridian.logLines.filter((line) => line.includes('operator command'))
  expect(lines.at(-1)).toContain('"command":"unlock"')
  expect(lines.join()).not.toContain(owner.email)
})
