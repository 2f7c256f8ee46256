import { describe, expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_PASSWORD,
  type TestOwner,
  toCookieHeader,
} from '#tests/support/meridian.ts'

setUpMeridian()

const ADA = { name: 'Dr. Ada Example', profession: 'Therapist', time_zone: 'Europe/Berlin' }
const NEW = {
  steps: { you: 'open', hours: 'open', services: 'open', external_calendar: 'open' },
  calendar_id: null,
  is_dismissed: false,
  has_booking: false,
  has_location: false,
  has_holidays: false,
  test_appointment: null,
}
let addresses = 0

test('an account that registers has a set-up', async () => {
  addresses += 1
  const email = `setup-${addresses}@example.com`
  const signedUp = await post('sign-up', { full_name: 'Ada Example', email, password: TEST_PASSWORD })
  const mail = await meridian.waitForMail(({ to }) => to.address === email)
  const token = decodeURIComponent(/token=(\S+)/.exec(mail.text)?.[1] ?? '')
  const confirmed = await post('email-verification', { token }, toCookieHeader(signedUp))
  const answer = await meridian.as({ cookie: toCookieHeader(confirmed) }).get('/api/setup')
  expect(answer.json()).toEqual({ setup: NEW })
})

test('an account that existed before never sees it', async () => {
  const owner = await makeOwner(meridian)
  expect((await owner.get('/api/setup')).json()).toEqual({ setup: null })
  expectRefusal(await owner.patch('/api/setup', { you: ADA }), 'setup.not_found')
  expect(await listCalendars(owner)).toEqual([])
})

test('a visitor is asked to log in', async () => {
  expectRefusal(await meridian.get('/api/setup'), 'auth.required')
  expectRefusal(await meridian.patch('/api/setup', { is_dismissed: true }), 'auth.required')
})

describe('the first step', () => {
  test('creates a calendar that can be booked at once, with the title where customers read it', async () => {
    const owner = await makeNewOwner()
    const { setup } = await change(owner, { you: ADA })
    const [calendar, ...others] = await listCalendars(owner)
    expect(others).toEqual([])
    expect(setup).toEqual({ ...NEW, steps: { ...NEW.steps, you: 'done' }, calendar_id: calendar.id })
    expect(calendar).toMatchObject({
      name: 'Dr. Ada Example',
      slug: expect.stringMatching(/^dr-ada-example/),
      category: 'Therapist',
      timezone: 'Europe/Berlin',
      hour_cycle: 'h12',
      professional_first_name: 'Dr. Ada',
      professional_last_name: 'Example',
      appointment_title_required: false,
    })
    expect((await owner.get('/api/auth/session')).json().user).toMatchObject({
      full_name: 'Dr. Ada Example',
      first_name: 'Ada',
      last_name: 'Example',
    })
    expect((await owner.get('/api/profile')).json()).toMatchObject({ time_zone: 'Europe/Berlin' })
    const page = (await meridian.get(`/api/public/calendars/${calendar.slug}`)).json()
    expect(page).toMatchObject({ professional_initials: 'AE', professional_first_name: 'Dr. Ada' })
    const booked = await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-04T10:00:00Z' })
    expect(booked.statusCode, booked.body).toBe(201)
  })

  test('creates one calendar in two tabs, and changes it when it is sent again', async () => {
    const owner = await makeNewOwner()
    const answers = await Promise.all([change(owner, { you: ADA }), change(owner, { you: ADA })])
    const ids = answers.map(({ setup }) => setup.calendar_id)
    expect(await listCalendars(owner)).toHaveLength(1)
    const later = { name: 'Ada Example', profession: 'Coach', time_zone: 'Europe/London' }
    const { setup } = await change(owner, { you: later })
    expect([...ids, setup.calendar_id]).toEqual([ids[0], ids[0], ids[0]])
    const [calendar, ...others] = await listCalendars(owner)
    expect(others).toEqual([])
    expect(calendar).toMatchObject({
      name: 'Dr. Ada Example',
      category: 'Coach',
      timezone: 'Europe/London',
      professional_first_name: 'Ada',
    })
  })

  test('gives a new calendar the clock of the browser, and leaves the clock of a calendar that exists', async () => {
    const owner = await makeNewOwner()
    await change(owner, { you: { ...ADA, hour_cycle: 'h23' } })
    await change(owner, { you: ADA })
    expect(await listCalendars(owner)).toEqual([expect.objectContaining({ hour_cycle: 'h23' })])
  })

  test('changes only what is sent, because the rest may have been changed elsewhere', async () => {
    const owner = await makeNewOwner()
    const { setup } = await change(owner, { you: ADA })
    const elsewhere = { professional_first_name: 'Prof. Ada', category: 'Coach', timezone: 'Asia/Tokyo' }
    const path = `/api/calendars/${setup.calendar_id}`
    expect((await owner.patch(path, elsewhere)).statusCode).toBe(200)
    await change(owner, { you: {} })
    expect(await listCalendars(owner)).toMatchObject([elsewhere])
    await change(owner, { you: { profession: 'Lawyer' } })
    expect(await listCalendars(owner)).toMatchObject([{ ...elsewhere, category: 'Lawyer' }])
    expect((await owner.get('/api/auth/session')).json().user.full_name).toBe('Dr. Ada Example')
  })

  test('skipped in a tab that was opened before the step was done elsewhere changes nothing', async () => {
    const owner = await makeNewOwner()
    const { setup } = await change(owner, { you: ADA })
    const [calendar] = await listCalendars(owner)
    const stale = { name: 'Ada Example', profession: '', time_zone: 'Asia/Tokyo' }
    expect((await change(owner, { you: stale, steps: { you: 'skipped' } })).setup).toEqual(setup)
    expect(await listCalendars(owner)).toEqual([calendar])
    expect((await owner.get('/api/auth/session')).json().user.full_name).toBe('Dr. Ada Example')
    expect((await owner.get('/api/profile')).json().time_zone).toBe('Europe/Berlin')
  })

  test('takes the calendar that the owner has created meanwhile, and changes nothing that it has', async () => {
    const owner = await makeNewOwner()
    const own = await makeCalendar(meridian, owner, {
      name: 'Harbour Practice',
      timezone: 'Asia/Tokyo',
      person_name: '',
    })
    const { setup } = await change(owner, { you: ADA })
    expect(setup.calendar_id).toBe(own.id)
    expect(await listCalendars(owner)).toMatchObject([
      // It had no category, and the services are suggested by it.
      { name: 'Harbour Practice', timezone: 'Asia/Tokyo', category: 'Therapist' },
    ])
  })

  test('creates another calendar when the owner has deleted the first one', async () => {
    const owner = await makeNewOwner()
    const first = (await change(owner, { you: ADA })).setup.calendar_id
    expect((await owner.delete(`/api/calendars/${first}`)).statusCode).toBe(204)
    expect((await owner.get('/api/setup')).json().setup.calendar_id).toBeNull()
    const second = (await change(owner, { you: ADA })).setup.calendar_id
    expect(second).not.toBe(first)
    expect(await listCalendars(owner)).toMatchObject([{ id: second }])
  })

  test.each([
    ['auth.name_too_short', { name: ' A ' }],
    ['auth.name_too_short', { name: undefined }],
    ['calendar.time_zone_unknown', { time_zone: 'Mars/Olympus' }],
  ] as const)('is refused as %s for %j, and nothing changes', async (code, fields) => {
    const owner = await makeNewOwner()
    expectRefusal(await owner.patch('/api/setup', { you: { ...ADA, ...fields } }), code)
    expect((await owner.get('/api/setup')).json()).toEqual({ setup: NEW })
    expect(await listCalendars(owner)).toEqual([])
  })

  test('takes the longest name, although the name of a calendar is shorter', async () => {
    const owner = await makeNewOwner()
    const { setup } = await change(owner, { you: { ...ADA, name: `Ada ${'x'.repeat(196)}` } })
    expect(setup.steps.you).toBe('done')
    expect((await listCalendars(owner))[0].name).toHaveLength(100)
  })
})

describe('the services', () => {
  const SERVICES = [
    { name: 'First consultation', duration: 50 },
    { name: 'Session', duration: 50, price: 90, fee_note: ' €90, in cash ' },
  ]

  test('are created once, also in two tabs and after a reload', async () => {
    const owner = await makeNewOwner()
    const { setup } = await change(owner, { you: ADA })
    await Promise.all([change(owner, { services: SERVICES }), change(owner, { services: SERVICES })])
    const again = await change(owner, { services: SERVICES })
    expect(again.setup.steps.services).toBe('done')
    const types = (await owner.get(`/api/calendars/${setup.calendar_id}/appointment-types`)).json()
    // Without a payment provider, no service has a price, but it may have a fee note.
    expect(types.appointment_types).toMatchObject([
      { name: 'First consultation', duration: 50, price: null, fee_note: null },
      { name: 'Session', duration: 50, price: null, fee_note: '€90, in cash' },
    ])
    expect(types.appointment_types).toHaveLength(2)
  })

  test('that another tab did not save are refused, and those that it saved stay', async () => {
    const owner = await makeNewOwner()
    const { setup } = await change(owner, { you: ADA })
    await change(owner, { services: SERVICES })
    for (const service of [
      { name: 'Long talk', duration: 80 },
      { name: 'Session', duration: 55, fee_note: '€90, in cash' },
      { name: 'Session', duration: 50, fee_note: '€95, in cash' },
    ]) {
      expectRefusal(
        await owner.patch('/api/setup', { services: [...SERVICES, service] }),
        'setup.services_saved',
      )
    }
    const types = (await owner.get(`/api/calendars/${setup.calendar_id}/appointment-types`)).json()
    expect(types.appointment_types).toHaveLength(2)
  })

  test('can be skipped and created later', async () => {
    const owner = await makeNewOwner()
    await change(owner, { you: ADA })
    expect((await change(owner, { steps: { services: 'skipped' } })).setup.steps.services).toBe('skipped')
    expect((await change(owner, { services: SERVICES })).setup.steps.services).toBe('done')
  })

  test('need a calendar, a name and a duration', async () => {
    const owner = await makeNewOwner()
    expectRefusal(await owner.patch('/api/setup', { services: SERVICES }), 'setup.calendar_missing')
    await change(owner, { you: ADA })
    for (const [code, service] of [
      ['appointment_type.name_required', { name: ' ', duration: 50 }],
      ['appointment_type.duration_too_short', { name: 'Session', duration: 4 }],
      ['request.invalid', { name: 'Session', duration: 50, fee_note: 'x'.repeat(81) }],
    ] as const) {
      expectRefusal(await owner.patch('/api/setup', { services: [service] }), code)
    }
    expectRefusal(
      await owner.patch('/api/setup', { services: Array.from({ length: 21 }, () => SERVICES[0]) }),
      'request.invalid',
    )
    expect((await owner.get('/api/setup')).json().setup.steps.services).toBe('open')
  })
})

describe('the state', () => {
  test('is the same on every device, and a step that is done stays done', async () => {
    const owner = await makeNewOwner()
    await change(owner, { you: ADA })
    await change(owner, { steps: { hours: 'done', external_calendar: 'skipped' } })
    await change(owner, { steps: { you: 'skipped', hours: 'skipped' } })
    const { email } = owner
    const elsewhere = toCookieHeader(await post('sign-in', { email, password: TEST_PASSWORD }))
    const { setup } = (await meridian.as({ cookie: elsewhere }).get('/api/setup')).json()
    expect(setup.steps).toEqual({
      you: 'done',
      hours: 'done',
      services: 'open',
      external_calendar: 'skipped',
    })
  })

  test('of the first step is skipped when the owner says so, and the calendar is created all the same', async () => {
    const owner = await makeNewOwner()
    const { setup } = await change(owner, { you: ADA, steps: { you: 'skipped' } })
    expect(setup.steps.you).toBe('skipped')
    expect(setup.calendar_id).not.toBeNull()
  })

  test('says that the checklist was put away, and takes it back', async () => {
    const owner = await makeNewOwner()
    expect((await change(owner, { is_dismissed: true })).setup.is_dismissed).toBe(true)
    expect((await owner.get('/api/setup')).json().setup.is_dismissed).toBe(true)
    expect((await change(owner, { is_dismissed: false })).setup.is_dismissed).toBe(false)
  })

  test('knows the first booking', async () => {
    const owner = await makeNewOwner()
    await change(owner, { you: ADA })
    const [calendar] = await listCalendars(owner)
    const tried = await owner.post(`/api/calendars/${calendar.id}/test-appointment`)
    expect(tried.statusCode, tried.body).toBe(200)
    expect((await owner.get('/api/setup')).json().setup).toMatchObject({
      has_booking: false,
      test_appointment: tried.json(),
    })
    const booked = await bookAppointment(meridian, calendar.slug, { starts_at: '2027-01-05T10:00:00Z' })
    expect(booked.statusCode, booked.body).toBe(201)
    expect((await owner.get('/api/setup')).json().setup.has_booking).toBe(true)
  })

  test('knows whether the calendar has a location and public holidays', async () => {
    const owner = await makeNewOwner()
    const { setup } = await change(owner, { you: ADA })
    const path = `/api/calendars/${setup.calendar_id}`
    const located = await owner.post(`${path}/locations`, { name: 'Practice', address: '1 Harley Street' })
    expect(located.statusCode, located.body).toBe(201)
    expect((await owner.get('/api/setup')).json().setup).toMatchObject({
      has_location: true,
      has_holidays: false,
    })
    await owner.put(`${path}/holidays/region`, { country: 'DE', region: null })
    expect((await owner.get('/api/setup')).json().setup.has_holidays).toBe(true)
  })

  test('never has values that it does not know', async () => {
    const owner = await makeNewOwner()
    expectRefusal(await owner.patch('/api/setup', { steps: { hours: 'almost' } }), 'request.invalid')
    await expect(
      meridian.database.execute(`update setups set hours = 'almost' where user_id = $1`, [owner.id]),
    ).rejects.toThrow(/setups_hours_check/)
  })
})

/** Makes an owner whose account has the set-up. */
async function makeNewOwner(): Promise<TestOwner> {
  const owner = await makeOwner(meridian, { name: 'Ada Example' })
  await meridian.database.db
    .insertInto('setups')
    .values({ user_id: owner.id, created_at: new Date(meridian.clock.ms) })
    .execute()
  return owner
}

async function change(owner: TestOwner, payload: object) {
  const answer = await owner.patch('/api/setup', payload)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

async function listCalendars(owner: TestOwner) {
  return (await owner.get('/api/calendars')).json().calendars
}

function post(path: string, payload: object, cookie?: string) {
  const headers = { origin: 'http://localhost:3000' }
  return meridian.request({ method: 'POST', url: `/api/auth/${path}`, payload, headers, cookie })
}
