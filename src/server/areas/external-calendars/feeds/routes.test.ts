import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'
import { makeQuestion } from '#tests/support/questions.ts'
import { makeParticipant } from '#tests/support/sessions.ts'
import { addAppointment, addAppointmentType } from '#tests/support/stored-rows.ts'

let calendar: Calendar

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' }, owner: { lifetime: 'test' } })
beforeEach(async () => {
  calendar = await makeCalendar(meridian, owner, { name: 'Harley Street' })
})

describe('the feed of a calendar (rule G22)', () => {
  test('has each appointment with the UID and the sequence of its emails, and the texts of the owner’s events', async () => {
    const appointment_type_id = await addAppointmentType(meridian, calendar.id, { price_cents: 4_000 })
    const { id } = (await bookAppointment(meridian, calendar.slug, { appointment_type_id })).json()
    const answer = await read(await makeFeed())
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    const file = unfold(answer)
    expect(file).toContain('METHOD:PUBLISH')
    expect(file).toContain('X-WR-CALNAME:Harley Street')
    expect(file).toContain(`UID:${id}@localhost`)
    expect(file).toContain('SEQUENCE:0')
    expect(file).toContain('DTSTART:20270104T090000Z')
    expect(file).toContain('DTEND:20270104T093000Z')
    expect(file).toContain('SUMMARY:Consultation · Grace Hopper')
    expect(file).toContain('Price: €40.00')
    expect(file).not.toMatch(/ORGANIZER|ATTENDEE/)
    const mail = await meridian.waitForMail(
      ({ to, text }) => to.address === owner.email && text.includes('BK-'),
    )
    expect(unfoldText(mail.attachments[0]?.content ?? '')).toContain(`UID:${id}@localhost`)
  })

  test('has one entry for a session, with the names of its people, and changes with the number of seats', async () => {
    const yoga = await addAppointmentType(meridian, calendar.id, { name: 'Yoga', seats: 8 })
    for (const name of ['Alfa', 'Bravo'] as const) {
      const customer = makeParticipant(name)
      const answer = await bookAppointment(meridian, calendar.slug, { appointment_type_id: yoga, customer })
      expect(answer.statusCode, answer.body).toBe(201)
      meridian.clock.ms += 1_000
    }
    const url = await makeFeed()
    const first = await read(url)
    const [, entry = '', ...others] = unfold(first).split('BEGIN:VEVENT')
    expect(others).toEqual([])
    expect(entry).toContain('SUMMARY:Yoga (2 of 8)')
    expect(entry.replaceAll(/[\u2068\u2069]/g, '')).toContain(String.raw`Customers:\n- Alfa\n- Bravo`)
    await owner.patch(`/api/calendars/${calendar.id}/appointment-types/${yoga}`, { seats: 9 })
    const changed = await read(url, { 'if-none-match': String(first.headers.etag) })
    expect(unfold(changed)).toContain('SUMMARY:Yoga (2 of 9)')
  })

  test('has no answer to a private question (rule B36)', async () => {
    const question = makeQuestion('What brings you here?', { is_private: true })
    await owner.put(`/api/calendars/${calendar.id}/questions`, { questions: [question] })
    const answers = [{ question_id: question.id, value: ['Insomnia'] }]
    const booked = await bookAppointment(meridian, calendar.slug, { answers })
    expect(booked.statusCode, booked.body).toBe(201)
    const file = unfold(await read(await makeFeed()))
    expect(file).toContain('Grace Hopper')
    expect(file).not.toContain('Insomnia')
  })

  test('says nothing about customers when the owner hides them', async () => {
    await meridian.database.db
      .insertInto('external_calendar_settings')
      .values({ calendar_id: calendar.id, hide_customer: true })
      .execute()
    const { booking_reference } = (await bookAppointment(meridian, calendar.slug)).json()
    const file = unfold(await read(await makeFeed()))
    expect(file).toContain('SUMMARY:Booked')
    expect(file).not.toMatch(new RegExp(`Grace|grace@|${booking_reference}`))
  })

  test('goes 90 days back and 730 ahead, and has no cancelled ones and no holds', async () => {
    const add = (
      startsAt: string,
      title: string,
      status: 'confirmed' | 'cancelled' | 'pending_payment' = 'confirmed',
    ) =>
      addAppointment(meridian, calendar.id, {
        startsAt,
        title,
        status,
        hold_expires_at: status === 'pending_payment' ? new Date(TEST_MONDAY + 300_000) : null,
      })
    await add('2026-10-05T12:00:00Z', 'too old')
    await add('2026-10-07T12:00:00Z', 'old')
    await add('2027-01-05T09:00:00Z', 'cancelled', 'cancelled')
    await add('2027-01-05T10:00:00Z', 'held', 'pending_payment')
    await add('2029-01-02T12:00:00Z', 'far')
    await add('2029-01-04T12:00:00Z', 'too far')
    const file = unfold(await read(await makeFeed()))
    const titles = [...file.matchAll(/^SUMMARY:(.*?) ·/gm)].map(([, title]) => title)
    expect(titles).toEqual(['old', 'far'])
  })

  test('is sent once: who has it gets 304 until something changes', async () => {
    const { id } = (await bookAppointment(meridian, calendar.slug)).json()
    const url = await makeFeed()
    const { etag } = (await read(url)).headers
    const again = await read(url, { 'if-none-match': String(etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    meridian.clock.ms += 60_000
    expect((await read(url, { 'if-none-match': String(etag) })).statusCode).toBe(304)
    await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, { action: 'cancel' })
    const changed = await read(url, { 'if-none-match': String(etag) })
    expect(changed.statusCode).toBe(200)
    expect(changed.body).not.toContain('BEGIN:VEVENT')
  })
})

test('two customers who are put together are in the feed as one at once', async () => {
  const bookAs = async (email: string, starts_at: string) =>
    (await bookAppointment(meridian, calendar.slug, { starts_at, customer: { name: 'Grace', email } })).json()
  await bookAs('grace@example.com', '2027-01-05T09:00:00Z')
  await bookAs('hopper@example.com', '2027-01-05T10:00:00Z')
  const url = await makeFeed()
  const { etag } = (await read(url)).headers
  const owned = { cookie: owner.cookie }
  const { customers } = (
    await meridian.request({ url: `/api/calendars/${calendar.id}/customer-list`, ...owned })
  ).json()
  const idOf = (email: string) => customers.find((one: { email: string }) => one.email === email).id
  meridian.clock.ms += 1_000
  const merged = await meridian.request({
    method: 'POST',
    url: `/api/calendars/${calendar.id}/customers/${idOf('grace@example.com')}/merge`,
    payload: { other_id: idOf('hopper@example.com') },
    ...owned,
  })
  expect(merged.statusCode, merged.body).toBe(200)
  const changed = await read(url, { 'if-none-match': String(etag) })
  expect(changed.statusCode).toBe(200)
  expect(unfold(changed)).not.toContain('hopper@example.com')
})

describe('the secret address', () => {
  test('is null at first, is made, is shown again, and is revoked', async () => {
    expect(await ask('GET')).toEqual({ url: null })
    const { url } = await ask('POST')
    expect(url).toMatch(/^webcal:\/\/localhost:3000\/api\/feeds\/[\w-]{43}$/)
    expect(await ask('GET')).toEqual({ url })
    const address = toPath(url)
    expect((await read(address)).statusCode).toBe(200)
    expect(await ask('DELETE')).toEqual({ url: null })
    const gone = await read(address)
    expect([gone.statusCode, gone.json().code]).toEqual([404, 'feed.not_found'])
  })

  test('that is new replaces the earlier one', async () => {
    const first = await makeFeed()
    const second = await makeFeed()
    expect(second).not.toBe(first)
    expect((await read(first)).statusCode).toBe(404)
    expect((await read(second)).statusCode).toBe(200)
  })

  test('that nobody has is refused like any other, and is stored as a hash', async () => {
    const path = await makeFeed()
    const token = path.split('/').at(-1) ?? ''
    const answers = [await read('/api/feeds/unknown'), await read(`/api/feeds/${token.slice(1)}`)]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404])
    expect(answers[0]?.json().title).toBe(answers[1]?.json().title)
    const { rows } = await meridian.database.execute('select * from calendar_feeds')
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(meridian.logLines.join('\n')).not.toContain(token)
  })

  test('is its owner’s', async () => {
    const stranger = await makeOwner(meridian)
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const answer = await meridian.request({
        method,
        url: `/api/calendars/${calendar.id}/feed`,
        cookie: stranger.cookie,
      })
      expect(answer.json().code).toBe('calendar.forbidden')
    }
  })

  test('can be asked a limited number of times a minute', async () => {
    const path = await makeFeed()
    let last = await read(path)
    for (let i = 0; i < 200 && last.statusCode !== 429; i += 1) last = await read(path)
    expect(last.statusCode).toBe(429)
  })
})

async function ask(method: 'GET' | 'POST' | 'DELETE'): Promise<{ url: string | null }> {
  const answer = await meridian.request({
    method,
    url: `/api/calendars/${calendar.id}/feed`,
    cookie: owner.cookie,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

/** Creates a feed and returns its path. */
async function makeFeed(): Promise<string> {
  return toPath((await ask('POST')).url)
}

function toPath(url: string | null): string {
  return (url ?? '').replace('webcal://localhost:3000', '')
}

function read(url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
  return meridian.request({ url, headers })
}

/** Joins the lines that were folded because of their length (RFC 5545 §3.1). */
function unfold({ body }: LightMyRequestResponse): string {
  return unfoldText(body)
}

function unfoldText(text: string): string {
  return text.replaceAll('\r\n ', '')
}
