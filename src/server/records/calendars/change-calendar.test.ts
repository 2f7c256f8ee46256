import { beforeAll, describe, expect, test } from 'vitest'
import type { Calendar, CalendarChanges } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { extendStandingSeries } from '#server/areas/appointments/series/extend-series.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar, TEST_MONDAY } from '#tests/support/meridian.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'

let calendar: Calendar

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })
beforeAll(async () => {
  calendar = await makeCalendar(meridian, owner, { name: 'Harbour Practice', timezone: 'Europe/London' })
})

describe('a change', () => {
  test('sets what is given, leaves the rest, and notes when', async () => {
    meridian.clock.ms += 60_000
    const names = { professional_first_name: ' Maya ', professional_last_name: 'Grey', category: 'Midwife' }
    const changed = await change(names)
    expect(changed.json()).toEqual({
      ...calendar,
      ...names,
      professional_first_name: 'Maya',
      updated_at: '2027-01-04T08:01:00.000Z',
    })
    const again = await change({ category: 'Coach' })
    expect(again.json()).toMatchObject({ professional_first_name: 'Maya', category: 'Coach' })
    expect(await read()).toEqual(again.json())
  })

  test('renames, describes and colours a calendar, and leaves its booking link to its customers', async () => {
    const { id, slug } = await makeCalendar(meridian, owner, { name: 'Harbor Practise' })
    const look = {
      name: ' Harbour Practice ',
      description: 'By the sea.',
      color: '#16a085',
      appointment_title_required: false,
      default_appointment_title: 'Session at {{calendar_name}}',
    }
    const changed = (await change(look, id)).json()
    expect(changed).toMatchObject({ ...look, name: 'Harbour Practice', slug })
    const { calendar_name, public_url } = (await meridian.get(`/api/public/calendars/${slug}`)).json()
    expect([calendar_name, public_url]).toEqual(['Harbour Practice', changed.public_url])
    const emptied = await change({ description: ' ', default_appointment_title: '' }, id)
    expect(emptied.json()).toMatchObject({ description: null, default_appointment_title: null })
    for (const wrong of [{ name: ' ' }, { color: 'blue' }, { appointment_title_required: 'no' }])
      expect((await change(wrong as CalendarChanges, id)).statusCode).toBe(400)
    const stale = await change({ name: 'Mine', was: { name: 'Harbor Practise' } }, id)
    expectRefusal(stale, 'request.changed_meanwhile')
  })

  test('of a text to nothing takes it away', async () => {
    const none = await change({ professional_first_name: ' ', professional_last_name: '', category: '' })
    expect(none.json()).toMatchObject({
      professional_first_name: null,
      professional_last_name: null,
      category: null,
    })
  })

  test('of nothing changes nothing', async () => {
    const before = await read()
    meridian.clock.ms += 60_000
    expect((await change({})).json()).toEqual(before)
    expect((await change({ reminder_settings: {} })).json()).toEqual(before)
  })

  test('based on what another window has changed meanwhile is refused, and names it', async () => {
    await change({ category: 'Coach' })
    const stale = await change({
      category: 'Doctor',
      was: { category: 'Therapist', timezone: 'Europe/London' },
    })
    expectRefusal(stale, 'request.changed_meanwhile')
    expect(stale.json().errors).toEqual([expect.objectContaining({ path: 'category' })])
    expect((await change({ category: 'Doctor', was: { category: 'Coach' } })).statusCode).toBe(200)
    const reminders = { hours: 24, sender_name: 'Somebody else' }
    expectRefusal(
      await change({ reminder_settings: { hours: 12 }, was: { reminder_settings: reminders } }),
      'request.changed_meanwhile',
    )
  })

  test('sent twice at once is made twice, one after the other', async () => {
    const answers = await Promise.all([change({ category: 'Lawyer' }), change({ category: 'Lawyer' })])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  test.each([
    ['request.invalid', { professional_first_name: 'x'.repeat(LIMITS.personName + 1) }],
    ['request.invalid', { professional_last_name: 'two\nlines' }],
    ['request.invalid', { category: 'x'.repeat(LIMITS.category + 1) }],
    ['request.invalid', { category: 7 }],
    ['calendar.time_zone_unknown', { timezone: 'Mars/Olympus' }],
    ['calendar.time_zone_unknown', { timezone: '' }],
    ['calendar.time_zone_unknown', { timezone: '+01:00' }],
  ] as const)('is refused as %s for %j', async (code, changes) => {
    expectRefusal(await change(changes as CalendarChanges), code)
  })

  test('that is refused for one field changes none', async () => {
    const before = await read()
    const reminder_settings = { sender_email: 'maya' }
    expectRefusal(await change({ category: 'Teacher', reminder_settings }), 'auth.invalid_email')
    expect(await read()).toEqual(before)
  })

  test('leaves what comes with work of its own untouched', async () => {
    const before = await read()
    const others = { slug: 'else', user_id: owner.id, payment_required: true }
    expect((await change(others as CalendarChanges)).json()).toEqual(before)
  })
})

describe('another time zone', () => {
  test('is stored under its one name', async () => {
    expect((await change({ timezone: 'america/new_york' })).json().timezone).toBe('America/New_York')
    expect((await change({ timezone: 'Asia/Calcutta' })).json().timezone).toBe('Asia/Kolkata')
    expect((await change({ timezone: 'europe/london' })).json().timezone).toBe('Europe/London')
  })

  test('leaves appointments at their instant and moves the weekly hours', async () => {
    const { id, slug } = await makeCalendar(meridian, owner)
    await addAppointment(meridian, id, { startsAt: '2027-01-05T09:00:00Z' })
    await change({ timezone: 'Asia/Tokyo' }, id)
    const list = await owner.get(`/api/calendars/${id}/appointments`)
    expect(list.json().appointments).toEqual([
      expect.objectContaining({ starts_at: '2027-01-05T09:00:00.000Z', start_time: '18:00:00' }),
    ])
    const slots = await meridian.get(`/api/public/calendars/${slug}/slots?date=2027-01-06`)
    // This is 09:00 in Tokyo.
    expect(slots.json().slots[0].starts_at).toMatch(/^2027-01-06T00:00:00/)
  })

  test('leaves booked dates of a standing appointment at their instant, and books the next ones on the new clock (rules T24, B38)', async () => {
    const { id } = await makeCalendar(meridian, owner)
    const booked = await owner.post(`/api/calendars/${id}/series`, {
      date: '2027-01-05',
      time: '10:00',
      every_weeks: 1,
      duration: 30,
      is_standing: true,
      planned: 2,
      dates: [{ number: 1 }, { number: 2 }],
      customer: { name: 'Grace Hopper' },
    })
    expect(booked.statusCode, booked.body).toBe(201)
    await change({ timezone: 'Asia/Tokyo' }, id)
    await extendStandingSeries({ ...meridian.deps, jobs: meridian.jobs })
    const rows = await meridian.database.db
      .selectFrom('appointments')
      .select('starts_at')
      .where('calendar_id', '=', id)
      .orderBy('starts_at')
      .execute()
    expect(rows.slice(0, 4).map(({ starts_at }) => starts_at.toISOString())).toEqual([
      '2027-01-05T10:00:00.000Z',
      '2027-01-12T10:00:00.000Z',
      // This is 10:00 in Tokyo.
      '2027-01-19T01:00:00.000Z',
      '2027-01-26T01:00:00.000Z',
    ])
  })

  test('makes limits count the days of the new zone (rule T51)', async () => {
    const { id, slug } = await makeCalendar(meridian, owner)
    const one = { most: 1, unit: 'appointments', period: 'day' }
    await owner.patch(`/api/calendars/${id}/slot-settings`, { booking_limits: [one] })
    // Tuesday evening in London is Wednesday in Tokyo.
    await addAppointment(meridian, id, { startsAt: '2027-01-05T20:00:00Z' })
    const fullDays = async () => {
      const answer = await meridian.get(`/api/public/calendars/${slug}/days?from=2027-01-05&to=2027-01-07`)
      const days: { date: string; open_slots: number }[] = answer.json().days
      return days.filter(({ open_slots }) => open_slots === 0).map(({ date }) => date)
    }
    expect(await fullDays()).toEqual(['2027-01-05'])
    await change({ timezone: 'Asia/Tokyo' }, id)
    expect(await fullDays()).toEqual(['2027-01-06'])
  })
})

describe('the outlook', () => {
  test('has the number of future appointments and the next one, in its customer’s zone', async () => {
    const { id } = await makeCalendar(meridian, owner)
    expect(await outlook(id)).toEqual({
      future_appointments: 0,
      without_email: 0,
      paid: 0,
      next_appointment: null,
    })
    await addAppointment(meridian, id, { startsAt: '2027-01-04T07:30:00Z' })
    await addAppointment(meridian, id, { startsAt: '2027-01-05T09:00:00Z', status: 'cancelled' })
    const hold = { status: 'pending_payment', hold_expires_at: new Date(TEST_MONDAY) } as const
    await addAppointment(meridian, id, { startsAt: '2027-01-05T10:00:00Z', ...hold })
    await addAppointment(meridian, id, {
      startsAt: '2027-01-06T09:00:00Z',
      customer_name: 'Grace',
      payment_status: 'paid',
    })
    await addAppointment(meridian, id, {
      startsAt: '2027-01-05T12:00:00Z',
      customer_name: 'Ada',
      customer_time_zone: 'Asia/Tokyo',
    })
    const next = {
      customer_name: 'Ada',
      starts_at: '2027-01-05T12:00:00.000Z',
      time_zone: 'Asia/Tokyo',
      hour_cycle: 'h12',
    }
    expect(await outlook(id)).toEqual({
      future_appointments: 2,
      without_email: 0,
      paid: 1,
      next_appointment: next,
    })

    await meridian.database.execute('update customers set email = null where calendar_id = $1', [id])
    meridian.clock.ms = Date.parse('2027-01-05T12:00:00Z')
    expect(await outlook(id)).toEqual({
      future_appointments: 1,
      without_email: 1,
      paid: 1,
      next_appointment: {
        customer_name: 'Grace',
        starts_at: '2027-01-06T09:00:00.000Z',
        time_zone: 'Europe/London',
        hour_cycle: 'h12',
      },
    })
  })

  async function outlook(id: string): Promise<unknown> {
    return (await owner.get(`/api/calendars/${id}/outlook`)).json()
  }
})

describe('the reminders', () => {
  const DEFAULTS = {
    enabled: true,
    hours: 24,
    sender_name: 'Harbour Practice',
    sender_email: 'appointments@localhost',
    subject: 'Reminder: Your upcoming appointment',
  }

  test('have their defaults until they are set (rule M17)', () => {
    expect(calendar.reminder_settings).toEqual({ ...DEFAULTS, template: expect.any(String) })
  })

  test('keep every field; what is absent stays as it is', async () => {
    const settings = {
      enabled: false,
      hours: 72,
      template: 'Hi {customer_name},\nsee you on {date} at {nonsense}.',
      sender_name: 'Maya',
      sender_email: 'maya@harbour.example',
      subject: 'See you soon',
    }
    expect((await change({ reminder_settings: settings })).json().reminder_settings).toEqual(settings)
    const fewer = await change({ reminder_settings: { hours: 1 } })
    expect(fewer.json().reminder_settings).toEqual({ ...settings, hours: 1 })
  })

  test('go back to their defaults when a text is emptied or is the default', async () => {
    const emptied = { ...DEFAULTS, template: ' ', sender_name: '', subject: '' }
    const { reminder_settings } = (await change({ reminder_settings: emptied })).json()
    expect(reminder_settings).toEqual(calendar.reminder_settings)
    const { rows } = await meridian.database.execute(
      'select reminder_settings from calendars where id = $1',
      [calendar.id],
    )
    expect(rows).toEqual([{ reminder_settings: {} }])
  })

  test('that make no sense in the database count as not set', async () => {
    const broken = { enabled: 'yes', hours: 0, template: 7, sender_name: null, subject: [] }
    await meridian.database.execute('update calendars set reminder_settings = $2::jsonb where id = $1', [
      calendar.id,
      JSON.stringify(broken),
    ])
    expect((await read()).reminder_settings).toEqual(calendar.reminder_settings)
  })

  test.each([
    ['reminder.hours_out_of_range', { hours: 0 }],
    ['reminder.hours_out_of_range', { hours: 73 }],
    ['reminder.hours_out_of_range', { hours: 1.5 }],
    ['reminder.hours_out_of_range', { hours: null }],
    ['auth.invalid_email', { sender_email: 'maya' }],
    ['auth.invalid_email', { sender_email: 'maya@harbour' }],
    ['request.invalid', { sender_email: `${'x'.repeat(LIMITS.email)}@harbour.example` }],
    ['request.invalid', { sender_name: 'Maya\nBcc: all@example.com' }],
    ['request.invalid', { subject: 'two\nlines' }],
    ['request.invalid', { subject: 'x'.repeat(LIMITS.reminderSubject + 1) }],
    ['request.invalid', { template: 'x'.repeat(LIMITS.reminderTemplate + 1) }],
    ['request.invalid', { enabled: 'yes' }],
  ])('are refused as %s for %j', async (code, settings) => {
    expectRefusal(await change({ reminder_settings: settings } as CalendarChanges), code as ProblemCode)
  })
})

function change(payload: CalendarChanges, id = calendar.id) {
  return owner.patch(`/api/calendars/${id}`, payload)
}

async function read(): Promise<Calendar> {
  return (await owner.get(`/api/calendars/${calendar.id}`)).json()
}
