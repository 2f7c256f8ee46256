import { describe, expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_PASSWORD, waitFor } from '#tests/support/meridian.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'

setUpMeridian()

const ATTACKER = { full_name: 'Mallory', password: 'the attacker’s password' }
const VICTIM = { full_name: 'Vera Victim', password: 'the victim’s password' }
let addresses = 0

describe('an address that a stranger registers first', () => {
  test('belongs to the registration whose link was opened: the stranger’s password opens nothing', async () => {
    const email = newAddress()
    await register(email, ATTACKER)
    await linkNumber(email, 1)
    await register(email, VICTIM)
    const own = await linkNumber(email, 2)
    expect((await confirm(own)).json()).toEqual({ ok: true, user: null })

    expectRefusal(await signIn(email, ATTACKER.password), 'auth.invalid_credentials')
    const signedIn = await signIn(email, VICTIM.password)
    expect(signedIn.json()).toMatchObject({ user: { email, full_name: VICTIM.full_name } })
  })

  test('the links of the registration before are void, and say so', async () => {
    const email = newAddress()
    await register(email, ATTACKER)
    const first = await linkNumber(email, 1)
    await register(email, VICTIM)
    await linkNumber(email, 2)
    expectRefusal(await confirm(first), 'auth.registration_replaced')
    expectRefusal(await signIn(email, VICTIM.password), 'auth.email_not_verified')
  })

  test('who registers again just before the victim opens their link voids it and gains nothing by it', async () => {
    const email = newAddress()
    await register(email, ATTACKER)
    await linkNumber(email, 1)
    await register(email, VICTIM)
    const own = await linkNumber(email, 2)
    await register(email, ATTACKER)
    const theirs = await linkNumber(email, 3)

    expectRefusal(await confirm(own), 'auth.registration_replaced')
    expectRefusal(await signIn(email, VICTIM.password), 'auth.invalid_credentials')
    // The stranger requests the same link again, and still has no account.
    expectRefusal(await signIn(email, ATTACKER.password), 'auth.email_not_verified')
    await linkNumber(email, 4)
    expect(await countRows(email)).toEqual({ profiles: 0 })

    await register(email, VICTIM)
    const again = await linkNumber(email, 5)
    expect((await confirm(again)).json()).toEqual({ ok: true, user: null })
    expectRefusal(await confirm(theirs), 'auth.registration_replaced')
    expectRefusal(await signIn(email, ATTACKER.password), 'auth.invalid_credentials')
    expect((await signIn(email, VICTIM.password)).statusCode).toBe(200)
  })

  test('has no account before it is confirmed: nothing to log in to, no second factor, no trusted device', async () => {
    const email = newAddress()
    await register(email, ATTACKER)
    await linkNumber(email, 1)
    const answer = await signIn(email, ATTACKER.password)
    expectRefusal(answer, 'auth.email_not_verified')
    expect(answer.cookies).toEqual([])
    expect(await countRows(email)).toEqual({ profiles: 0 })
    await post('password-reset-request', { email })
    await waitUntilEmailsSent(meridian.database)
    expect(mailsTo(email).filter(({ subject }) => subject === 'Reset your password')).toEqual([])
  })
})

describe('a change of address to where a stranger has registered', () => {
  test('goes on, and ends the registration', async () => {
    const owner = await makeOwner(meridian)
    const email = newAddress()
    await register(email, ATTACKER)
    const theirs = await linkNumber(email, 1)
    await changeAddress(owner.cookie, email)
    const link = await linkOf(email, 'Confirm your new email address')
    await register(email, ATTACKER)
    await linkNumber(email, 3)
    expect((await post('email-change', { token: link })).json()).toEqual({ ok: true })

    expect((await signIn(email, TEST_PASSWORD)).json()).toMatchObject({ user: { id: owner.id, email } })
    expect((await confirm(theirs)).statusCode).toBe(400)
    const last = await linkNumber(email, 3)
    expect((await confirm(last)).statusCode).toBe(400)
    expectRefusal(await signIn(email, 'neither of both'), 'auth.invalid_credentials')
    expect((await signIn(email, TEST_PASSWORD)).json()).toMatchObject({ user: { id: owner.id } })
  })

  test('begun before or after the registration gets a link, as if there were none', async () => {
    const owner = await makeOwner(meridian)
    const email = newAddress()
    await register(email, ATTACKER)
    await linkNumber(email, 1)
    const changed = await changeAddress(owner.cookie, email)
    expect(changed.json()).toMatchObject({ pending_email: email })
    const link = await linkOf(email, 'Confirm your new email address')
    expect((await post('email-change', { token: link })).json()).toEqual({ ok: true })
  })
})

function post(path: string, payload: object) {
  const headers = { origin: 'http://localhost:3000' }
  return meridian.request({ method: 'POST', url: `/api/auth/${path}`, payload, headers })
}

async function register(email: string, who: { full_name: string; password: string }): Promise<void> {
  const answer = await post('sign-up', { email, ...who })
  expect(answer.json()).toEqual({ ok: true })
}

function signIn(email: string, password: string) {
  return post('sign-in', { email, password })
}

function confirm(token: string) {
  return post('email-verification', { token })
}

function changeAddress(cookie: string, email: string) {
  const payload = { email, current_password: TEST_PASSWORD }
  return meridian.as({ cookie }).patch('/api/profile', payload)
}

function mailsTo(email: string) {
  return meridian.mails.filter(({ to }) => to.address === email)
}

/** Returns the token in the n-th message to an email address. */
async function linkNumber(email: string, n: number): Promise<string> {
  const mail = await waitFor(() => mailsTo(email)[n - 1])
  return tokenIn(mail.text)
}

async function linkOf(email: string, subject: string): Promise<string> {
  const mail = await meridian.waitForMail(({ to, subject: its }) => to.address === email && its === subject)
  return tokenIn(mail.text)
}

function tokenIn(text: string): string {
  return decodeURIComponent(/token=(\S+)/.exec(text)?.[1] ?? '')
}

async function countRows(email: string) {
  const { rows } = await meridian.database.execute(
    `select count(*)::integer as profiles from profiles where email = $1`,
    [email],
  )
  return rows[0]
}

function newAddress(): string {
  addresses += 1
  return `victim-${addresses}@example.com`
}
