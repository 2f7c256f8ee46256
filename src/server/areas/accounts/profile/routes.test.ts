import { beforeAll, describe, expect, test } from 'vitest'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner, TEST_PASSWORD, type TestOwner } from '#tests/support/meridian.ts'
import { waitUntilEmailsSent } from '#tests/support/race-track.ts'

let owner: TestOwner

setUpMeridian()
beforeAll(async () => {
  await useNewOwner()
})

describe('the profile', () => {
  test('has everything an owner set, and nothing that proves who they are', async () => {
    await useNewOwner()
    const { created_at, updated_at, ...profile } = await getProfile()
    expect(profile).toEqual({
      id: owner.id,
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: owner.email,
      pending_email: null,
      avatar_url: null,
      phone: null,
      time_zone: null,
      bio: null,
      notify_bookings: true,
      notify_cancellation_requests: true,
      notify_cancellations: true,
      two_factor_enabled: false,
    })
    expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.parse(updated_at))
  })

  test('what is changed is saved, trimmed, and the rest stays', async () => {
    const bio = '  Movement.\r\n\r\nAnd rest.  '
    const answer = await change({ phone: ' +44 20 7946 0958 ', time_zone: 'Asia/Kathmandu', bio })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(await getProfile()).toMatchObject({
      first_name: 'Ada',
      phone: '+44 20 7946 0958',
      time_zone: 'Asia/Kathmandu',
      bio: 'Movement.\n\nAnd rest.',
      updated_at: '2027-01-04T08:00:00.000Z',
    })
    await change({ phone: '', bio: '' })
    expect(await getProfile()).toMatchObject({ phone: null, time_zone: 'Asia/Kathmandu', bio: null })
  })

  test('a time zone is stored under its one name, however it was written', async () => {
    expect((await change({ time_zone: 'us/EASTERN' })).json()).toMatchObject({
      time_zone: 'America/New_York',
    })
  })

  test('mails and new calendars call the owner by the changed name', async () => {
    await change({ first_name: '  Augusta ', last_name: 'King' })
    const session = await owner.get('/api/auth/session')
    expect(session.json().user).toMatchObject({
      first_name: 'Augusta',
      last_name: 'King',
      full_name: 'Augusta King',
    })
    await change({ last_name: '' })
    const again = await owner.get('/api/auth/session')
    expect(again.json().user).toMatchObject({ last_name: '', full_name: 'Augusta' })
    expect(await makeCalendar(meridian, owner)).toMatchObject({ professional_first_name: 'Augusta' })
  })

  test.each([
    ['account.first_name_required', 'first_name', '   '],
    ['account.email_required', 'email', ' '],
    ['auth.invalid_email', 'email', 'ada@'],
    ['calendar.time_zone_unknown', 'time_zone', 'Europe/Atlantis'],
    ['request.invalid', 'bio', 'x'.repeat(2_001)],
    ['request.invalid', 'phone', '1'.repeat(41)],
    ['request.invalid', 'last_name', 'two\nlines'],
  ])('%s: %s is refused and nothing is changed', async (code, field, value) => {
    const before = await getProfile()
    const answer = await change({ phone: '12', [field]: value })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code, errors: [{ path: field }] })
    expect(await getProfile()).toEqual(before)
  })

  test('a window that shows something older does not undo what another one saved', async () => {
    await useNewOwner()
    const was = { first_name: 'Ada', phone: null, bio: '' }
    expect((await change({ phone: '1', was })).statusCode).toBe(200)
    const answer = await change({ bio: 'Second window', was })
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ code: 'request.changed_meanwhile', errors: [{ path: 'phone' }] })
    expect(await getProfile()).toMatchObject({ phone: '1', bio: null })
    expect((await change({ bio: 'Second window', was: { ...was, phone: '1' } })).statusCode).toBe(200)
  })

  test('an account without a first name can show that in its form and give itself one', async () => {
    await meridian.database.db
      .updateTable('profiles')
      .set({ first_name: '' })
      .where('id', '=', owner.id)
      .execute()
    const answer = await change({ first_name: 'Ada', was: { first_name: '' } })
    expect(answer.json()).toMatchObject({ first_name: 'Ada' })
  })
})

test('each message can be switched off by itself', async () => {
  const settings = { notify_bookings: false }
  const answer = await ask('PATCH', '/api/profile/notifications', settings)
  expect(answer.json()).toMatchObject({
    notify_bookings: false,
    notify_cancellation_requests: true,
    notify_cancellations: true,
  })
  await ask('PATCH', '/api/profile/notifications', { notify_cancellations: false, notify_bookings: true })
  expect(await getProfile()).toMatchObject({
    notify_bookings: true,
    notify_cancellation_requests: true,
    notify_cancellations: false,
  })
  const wrong = await ask('PATCH', '/api/profile/notifications', { notify_bookings: 'yes' })
  expect(wrong.statusCode).toBe(400)
})

describe('another address', () => {
  test('takes effect when its link is opened, once; the old address is told twice', async () => {
    await useNewOwner()
    const email = newAddress()
    const answer = await change({ email: email.toUpperCase(), phone: '7', current_password: TEST_PASSWORD })
    expect(answer.json()).toMatchObject({ email: owner.email, pending_email: email, phone: '7' })
    const notice = await mailTo(owner.email, 'Your email address is about to change')
    expect(notice.text).toContain(email)
    expect((await signIn(email)).statusCode).toBe(401)

    const token = await tokenFor(email)
    const confirmed = await confirm(token)
    expect(confirmed.json()).toEqual({ ok: true })
    // Opening the link logs nobody in.
    expect(confirmed.cookies).toEqual([])
    expect(await getProfile()).toMatchObject({ email, pending_email: null })
    expect((await signIn(email)).statusCode).toBe(200)
    expect((await signIn(owner.email)).statusCode).toBe(401)
    const told = await mailTo(owner.email, 'Your email address was changed')
    expect(told.text).toContain(email)
    expect((await confirm(token)).json()).toMatchObject({ code: 'auth.invalid_token' })
  })

  test.each([
    ['account.password_required', 400, undefined],
    ['account.wrong_password', 403, 'not the password'],
  ])('%s: nothing is changed and nothing is sent', async (code, status, current_password) => {
    const before = await getProfile()
    const email = newAddress()
    const answer = await change({ email, phone: '70', current_password })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ code, errors: [{ path: 'current_password' }] })
    expect(await getProfile()).toEqual(before)
    await waitUntilEmailsSent(meridian.database)
    expect(meridian.mails.filter((mail) => mail.to.address === email)).toEqual([])
  })

  test('of somebody else is answered like a free one; only its owner reads about it', async () => {
    await useNewOwner()
    const other = await makeOwner(meridian, { name: 'Grace Hopper' })
    const answer = await change({ email: other.email, current_password: TEST_PASSWORD })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ email: owner.email, pending_email: other.email })
    const mail = await mailTo(other.email, 'This address already has an account')
    expect(mail.text).toContain('Hello Grace Hopper,')
    expect(mail.text).not.toContain(owner.email)
    expect(mail.text).not.toContain('token=')
    await mailTo(owner.email, 'Your email address is about to change')
  })

  test('that is registered before the link is opened stays with who registered it', async () => {
    const email = newAddress()
    await change({ email, current_password: TEST_PASSWORD })
    const token = await tokenFor(email)
    const other = await makeOwner(meridian)
    await meridian.database.db.updateTable('profiles').set({ email }).where('id', '=', other.id).execute()
    expect((await confirm(token)).json()).toMatchObject({ code: 'auth.invalid_token' })
    expect(await getProfile()).toMatchObject({ email: owner.email })
  })

  test('can be given up, asked for anew, and is forgotten after a day', async () => {
    const [first, second] = [newAddress(), newAddress()]
    await change({ email: first, current_password: TEST_PASSWORD })
    const firstToken = await tokenFor(first)
    await change({ email: second, current_password: TEST_PASSWORD })
    expect(await getProfile()).toMatchObject({ pending_email: second })
    expect((await confirm(firstToken)).statusCode).toBe(400)
    const secondToken = await tokenFor(second)
    meridian.clock.ms += 24 * 60 * 60 * 1000
    expect(await getProfile()).toMatchObject({ pending_email: null })
    expect((await confirm(secondToken)).statusCode).toBe(400)
    meridian.clock.ms -= 24 * 60 * 60 * 1000

    expect((await ask('DELETE', '/api/profile/email-change')).statusCode).toBe(204)
    expect(await getProfile()).toMatchObject({ pending_email: null, email: owner.email })
    expect((await confirm(secondToken)).statusCode).toBe(400)
  })

  test('asked for with a password that was replaced since comes to nothing', async () => {
    await useNewOwner()
    const email = newAddress()
    await change({ email, current_password: TEST_PASSWORD })
    const token = await tokenFor(email)
    await meridian.database.db
      .updateTable('accounts')
      .set({ password: 'another hash' })
      .where('user_id', '=', owner.id)
      .execute()
    expect(await getProfile()).toMatchObject({ pending_email: null })
    expect((await confirm(token)).statusCode).toBe(400)
  })

  test.each(['', 'x', 'x.y', '00000000-0000-4000-8000-000000000000.secret'])(
    'a made up link (%j) leads nowhere',
    async (token) => {
      expect((await confirm(token)).statusCode).toBe(400)
      expect((await confirm(`${owner.id}.${token}`)).statusCode).toBe(400)
    },
  )

  test('ends the links for a new password that the old address got', async () => {
    await useNewOwner()
    await meridian.post('/api/auth/password-reset-request', { email: owner.email })
    const reset = await mailTo(owner.email, 'Reset your password')
    const email = newAddress()
    await change({ email, current_password: TEST_PASSWORD })
    await confirm(await tokenFor(email))
    const answer = await meridian.post('/api/auth/password-reset', {
      token: tokenIn(reset.text),
      password: 'stolen by the old address',
    })
    expect(answer.json()).toMatchObject({ code: 'auth.invalid_token' })
  })
})

async function useNewOwner(): Promise<void> {
  owner = await makeOwner(meridian, { name: 'Ada Lovelace' })
}

let addresses = 0

function newAddress(): string {
  addresses += 1
  return `moved-${addresses}@example.com`
}

function ask(method: 'GET' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  return meridian.request({
    method,
    url,
    cookie: owner.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}

function change(payload: object) {
  return ask('PATCH', '/api/profile', payload)
}

async function getProfile() {
  return (await ask('GET', '/api/profile')).json()
}

function signIn(email: string) {
  return meridian.post('/api/auth/sign-in', { email, password: TEST_PASSWORD })
}

function confirm(token: string) {
  return meridian.post('/api/auth/email-change', { token })
}

function mailTo(address: string, subject: string) {
  return meridian.waitForMail((mail) => mail.to.address === address && mail.subject === subject)
}

async function tokenFor(address: string): Promise<string> {
  return tokenIn((await mailTo(address, 'Confirm your new email address')).text)
}

function tokenIn(text: string): string {
  return /token=([\w.%-]+)/.exec(text)?.[1] ?? ''
}
