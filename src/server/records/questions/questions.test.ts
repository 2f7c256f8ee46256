import { randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Question } from '#contract/appointments/questions.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, TEST_PASSWORD } from '#tests/support/meridian.ts'
import { makeQuestion } from '#tests/support/questions.ts'

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })

const SECRET = 'I cannot sleep since March'

describe('questions', () => {
  test('are asked in their order, and a removed one is no longer asked', async () => {
    const shop = await makeCalendar(meridian, owner)
    const [first, second] = [makeQuestion('What brings you here?'), makeQuestion('Who referred you?')]
    expect((await store(shop, [second, first])).statusCode).toBe(200)
    expect((await shown(shop)).map(({ label }) => label)).toEqual([second.label, first.label])
    await store(shop, [first])
    expect((await shown(shop)).map(({ label }) => label)).toEqual([first.label])
  })

  test.each([
    ['question.label_required', { label: ' ' }],
    ['question.has_link', { label: 'See https://example.com' }],
    ['question.has_link', { help: 'Write to a@example.com' }],
    ['question.choices_required', { kind: 'one_of', choices: ['Only'] }],
    ['question.has_link', { kind: 'one_of', choices: ['Yes', 'See https://example.com'] }],
    ['request.invalid', { kind: 'one_of', choices: manyChoices(31) }],
    ['question.condition_unknown', { shown_if: { question_id: randomUUID(), value: 'Yes' } }],
    ['request.invalid', { label: 'x'.repeat(201) }],
    ['request.invalid', { label: 'a\ud800' }],
    ['appointment_type.not_found', { appointment_type_id: randomUUID() }],
  ] as const)('are refused with %s', async (code, given) => {
    const shop = await makeCalendar(meridian, owner)
    expectRefusal(await store(shop, [{ ...makeQuestion('Why?'), ...given } as Question]), code)
  })

  test('have up to 30 choices', async () => {
    const shop = await makeCalendar(meridian, owner)
    const question = makeQuestion('Where?', { kind: 'one_of', choices: manyChoices(30) })
    expect((await store(shop, [question])).statusCode).toBe(200)
  })

  test.each<[Partial<Question>, string]>([
    [{ choices: ['Yes, once', 'No'] }, 'choices'],
    [{ kind: 'text', choices: [] }, 'kind'],
  ])(
    'keep an answer on which another question depends, and the refusal names that question: %j',
    async (given, field) => {
      const shop = await makeCalendar(meridian, owner)
      const first = makeQuestion('Have you been here before?', { kind: 'one_of', choices: ['Yes', 'No'] })
      const second = makeQuestion('When?', { shown_if: { question_id: first.id, value: 'Yes' } })
      await store(shop, [first, second])
      const refused = await store(shop, [{ ...first, ...given }, second])
      expectRefusal(refused, 'question.condition_lost')
      const message = '“When?” is only asked after “Yes”. Change that question first.'
      expect(refused.json().errors).toEqual([{ path: `questions.0.${field}`, message }])
      expect(await shown(shop)).toMatchObject([{ choices: ['Yes', 'No'] }, { label: 'When?' }])
      expect((await store(shop, [first, { ...second, shown_if: null }])).statusCode).toBe(200)
    },
  )

  test('are at most 20, and a change based on an outdated list is refused', async () => {
    const shop = await makeCalendar(meridian, owner)
    const many = Array.from({ length: 21 }, (_, i) => makeQuestion(`Question ${i}`))
    expectRefusal(await store(shop, many), 'question.too_many')
    expect((await store(shop, many.slice(1), [])).statusCode).toBe(200)
    expectRefusal(await store(shop, [], []), 'request.changed_meanwhile')
  })

  test('and answers belong to their owner', async () => {
    const shop = await makeCalendar(meridian, owner)
    const { id } = (await book(shop, {})).json()
    const stranger = meridian.as(await makeOwner(meridian))
    expectRefusal(await stranger.get(`/api/calendars/${shop.id}/questions`), 'calendar.forbidden')
    expectRefusal(
      await stranger.get(`/api/calendars/${shop.id}/appointments/${id}/answers`),
      'calendar.forbidden',
    )
  })

  test('are copied with a duplicated calendar, with their conditions', async () => {
    const shop = await makeCalendar(meridian, owner)
    const first = makeQuestion('Have you been here before?', { kind: 'yes_no' })
    const second = makeQuestion('When?', { shown_if: { question_id: first.id, value: 'Yes' } })
    await store(shop, [first, second])
    const copy = (
      await meridian.as(owner).post(`/api/calendars/${shop.id}/copies`, { name: 'Copy' })
    ).json() as Calendar
    const copied = (await meridian.as(owner).get(`/api/calendars/${copy.id}/questions`)).json().questions
    expect(copied).toMatchObject([{ label: first.label }, { label: second.label }])
    expect(copied[0].id).not.toBe(first.id)
    expect(copied[1].shown_if).toEqual({ question_id: copied[0].id, value: 'Yes' })
  })
})

describe('answers', () => {
  test('are stored with the wording that was asked, and stay when the question changes or goes', async () => {
    const shop = await makeCalendar(meridian, owner)
    const question = makeQuestion('What brings you here?')
    await store(shop, [question])
    const { id } = (await book(shop, { [question.id]: ['<b>Back</b> \u05d0'] })).json()
    await store(shop, [{ ...question, label: 'Why?' }])
    await store(shop, [])
    expect(await answersOf(shop, id)).toEqual([
      {
        question_id: question.id,
        label: 'What brings you here?',
        kind: 'text',
        is_private: false,
        value: ['<b>Back</b> \u05d0'],
      },
    ])
  })

  test('that are missing are refused at their question, and nothing is booked', async () => {
    const shop = await makeCalendar(meridian, owner)
    const question = makeQuestion('I agree to the treatment contract.', {
      kind: 'consent',
      is_required: true,
    })
    await store(shop, [question])
    const refused = await book(shop, {})
    expectRefusal(refused, 'answer.refused')
    expect(refused.json().errors).toEqual([
      { path: `answers.${question.id}`, message: 'Please agree to this to book.' },
    ])
    expect((await book(shop, { [question.id]: ['Yes'] })).statusCode).toBe(201)
  })

  test('that are public stay readable when the question becomes private, and the other way round', async () => {
    const shop = await makeCalendar(meridian, owner)
    const question = makeQuestion('What brings you here?')
    await store(shop, [question])
    const open = (await book(shop, { [question.id]: ['Back'] })).json()
    await store(shop, [{ ...question, is_private: true }])
    const sealed = (await bookAt(shop, { [question.id]: [SECRET] }, '10:00')).json()
    await store(shop, [question])
    expect(await answersOf(shop, open.id)).toMatchObject([{ is_private: false, value: ['Back'] }])
    expect(await answersOf(shop, sealed.id)).toMatchObject([{ is_private: true, value: [SECRET] }])
    expect(await everyStoredRow()).not.toContain(SECRET)
  })

  test('stay open in earlier bookings when the question becomes required later', async () => {
    const shop = await makeCalendar(meridian, owner)
    const question = makeQuestion('What brings you here?')
    await store(shop, [question])
    const { id, manage_token } = (await book(shop, {})).json()
    await store(shop, [{ ...question, is_required: true }])
    expect(await answersOf(shop, id)).toEqual([])
    const page = await meridian.get(`/api/public/manage/${manage_token}`)
    expect(page.statusCode).toBe(200)
    expectRefusal(await bookAt(shop, {}, '10:00'), 'answer.refused')
  })

  test('to a question that its condition hides are dropped', async () => {
    const shop = await makeCalendar(meridian, owner)
    const first = makeQuestion('Have you been here before?', { kind: 'yes_no' })
    const second = makeQuestion('When?', {
      shown_if: { question_id: first.id, value: 'Yes' },
      is_required: true,
    })
    await store(shop, [first, second])
    const { id } = (await book(shop, { [first.id]: ['No'], [second.id]: ['In March'] })).json()
    expect(await answersOf(shop, id)).toMatchObject([{ label: first.label, value: ['No'] }])
  })

  test('with HTML, right-to-left text and control characters are text, and lone surrogates are refused', async () => {
    const shop = await makeCalendar(meridian, owner)
    const question = makeQuestion('\u05de\u05d4 \u05e9\u05dc\u05d5\u05de\u05da? <i>', { kind: 'long_text' })
    await store(shop, [question])
    const typed = '<img src=x onerror=alert(1)> \u202e\u05d0\u05d1\u05d2'
    const { id } = (await book(shop, { [question.id]: [typed] })).json()
    expect(await answersOf(shop, id)).toMatchObject([{ label: question.label, value: [typed] }])
    const csv = await meridian.as(owner).get(`/api/calendars/${shop.id}/appointments.csv`)
    expect(csv.body).toContain(typed)
    expectRefusal(await bookAt(shop, { [question.id]: ['a\ud800'] }, '10:00'), 'request.invalid')
  })

  test('to a question that was removed meanwhile are dropped', async () => {
    const shop = await makeCalendar(meridian, owner)
    const { id } = (await book(shop, { [randomUUID()]: ['late'] })).json()
    expect(await answersOf(shop, id)).toEqual([])
  })

  test('of a repeated request are stored once, and other answers with the same key are refused', async () => {
    const shop = await makeCalendar(meridian, owner)
    const question = makeQuestion('What brings you here?')
    await store(shop, [question])
    const first = await book(shop, { [question.id]: ['Back'] }, 'key')
    const again = await book(shop, { [question.id]: ['Back'] }, 'key')
    expect(again.json()).toEqual(first.json())
    expectRefusal(await book(shop, { [question.id]: ['Knee'] }, 'key'), 'request.key_reused')
    expect(await answersOf(shop, first.json().id)).toHaveLength(1)
  })

  test('of an owner’s booking may all be left open; those given are checked, encrypted if private, and kept', async () => {
    const shop = await makeCalendar(meridian, owner)
    const referrer = makeQuestion('Who referred you?', { is_required: true })
    const age = makeQuestion('How old are you?', { kind: 'number', is_required: true })
    const secret = makeQuestion('What brings you here?', { is_private: true })
    await store(shop, [referrer, age, secret])
    const booked = await bookAsOwner(shop, {}, '10:00')
    expect(booked.statusCode, booked.body).toBe(201)
    expect(await answersOf(shop, booked.json().id)).toEqual([])

    const refused = await bookAsOwner(shop, { [age.id]: ['old'] }, '11:00')
    expectRefusal(refused, 'answer.refused')
    expect(refused.json().errors).toMatchObject([{ path: `answers.${age.id}` }])
    const { id } = (await bookAsOwner(shop, { [age.id]: ['41'], [secret.id]: [SECRET] }, '11:00')).json()
    expect(await answersOf(shop, id)).toMatchObject([
      { label: age.label, is_private: false, value: ['41'] },
      { label: secret.label, is_private: true, value: [SECRET] },
    ])
    expect(await everyStoredRow()).not.toContain(SECRET)
  })

  test('that are private are encrypted, and only the owner’s panel and export show them', async () => {
    const shop = await makeCalendar(meridian, owner)
    const question = makeQuestion('What brings you here?', { is_private: true })
    await store(shop, [question])
    const booked = await book(shop, { [question.id]: [SECRET] })
    const { id, manage_token: token } = booked.json()
    await meridian.waitForMail(({ to }) => JSON.stringify(to).includes(owner.email))
    expect(await answersOf(shop, id)).toMatchObject([{ is_private: true, value: [SECRET] }])
    const csv = await meridian.as(owner).get(`/api/calendars/${shop.id}/appointments.csv`)
    expect(csv.body).toContain(`What brings you here?: ${SECRET}`)
    const api = meridian.as(owner)
    const { customers } = (await api.get(`/api/calendars/${shop.id}/appointments`)).json().appointments[0]
    const record = await api.get(`/api/calendars/${shop.id}/customers/${customers.id}/record`)
    expect(record.json().appointments[0].answers).toEqual([
      { label: question.label, is_private: true, value: [SECRET] },
    ])
    const archive = await api.post('/api/profile/export', { password: TEST_PASSWORD })
    const files = unzipSync(archive.rawPayload)
    expect(JSON.parse(toText(files['answers.json']))).toContainEqual(
      expect.objectContaining({ appointment_id: id, label: question.label, value: [SECRET] }),
    )
    expect(toText(files['answers.csv'])).toContain(SECRET)
    expect(toText(files['README.txt'])).toContain('Answers to private questions can be read here, too')
    const pages = await Promise.all([
      api.get(`/api/calendars/${shop.id}/appointments`),
      api.get(`/api/calendars/${shop.id}/appointments?filter=all&search=sleep`),
      api.get('/api/appointments/day'),
      api.get(`/api/calendars/${shop.id}/appointments/${id}/history`),
      api.get(`/api/calendars/${shop.id}/customers/${customers.id}`),
      meridian.get(`/api/public/appointments/${id}`),
      meridian.get(`/api/public/manage/${token}`),
      meridian.get(`/api/public/manage/${token}/appointment.ics`),
    ])
    expect(pages.map(({ statusCode }) => statusCode)).toEqual(pages.map(() => 200))
    const elsewhere = [
      booked.body,
      ...pages.map(({ body }) => body),
      JSON.stringify(meridian.mails),
      meridian.logLines.join(''),
      await everyStoredRow(),
    ]
    expect(meridian.mails.length).toBeGreaterThan(0)
    for (const text of elsewhere) expect(text).not.toContain(SECRET)
  })

  test('are erased with the customer', async () => {
    const shop = await makeCalendar(meridian, owner)
    const question = makeQuestion('What brings you here?')
    await store(shop, [question])
    const { id } = (await book(shop, { [question.id]: ['Back'] })).json()
    const { customers } = (await meridian.as(owner).get(`/api/calendars/${shop.id}/appointments`)).json()
      .appointments[0]
    await sql`update appointments set status = 'cancelled' where id = ${id}`.execute(meridian.database.db)
    const erased = await meridian
      .as(owner)
      .delete(`/api/calendars/${shop.id}/customers/${customers.id}/record`)
    expect(erased.statusCode, erased.body).toBeLessThan(300)
    expect(await answersOf(shop, id)).toEqual([])
  })
})

function manyChoices(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `Choice ${i}`)
}

function store(shop: Calendar, questions: readonly Question[], was?: readonly Question[]) {
  return meridian.as(owner).put(`/api/calendars/${shop.id}/questions`, { questions, was })
}

async function shown(shop: Calendar): Promise<Question[]> {
  return (await meridian.get(`/api/public/calendars/${shop.slug}`)).json().questions
}

function book(shop: Calendar, answers: Readonly<Record<string, string[]>>, key?: string) {
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  return bookAppointment(meridian, shop.slug, { answers: toList(answers) }, headers)
}

function bookAt(shop: Calendar, answers: Readonly<Record<string, string[]>>, time: string) {
  const starts_at = `2027-01-05T${time}:00Z`
  return bookAppointment(meridian, shop.slug, { answers: toList(answers), starts_at })
}

function bookAsOwner(shop: Calendar, answers: Readonly<Record<string, string[]>>, time: string) {
  return meridian.as(owner).post(`/api/calendars/${shop.id}/appointments`, {
    starts_at: `2027-01-05T${time}:00Z`,
    customer: { name: 'Ada' },
    outside_hours: true,
    answers: toList(answers),
  })
}

function toList(answers: Readonly<Record<string, string[]>>) {
  return Object.entries(answers).map(([question_id, value]) => ({ question_id, value }))
}

async function answersOf(shop: Calendar, id: string) {
  const response = await meridian.as(owner).get(`/api/calendars/${shop.id}/appointments/${id}/answers`)
  return response.json().answers
}

function toText(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString()
}

/** Returns every row of the database as text, with the rows of jobs. */
async function everyStoredRow(): Promise<string> {
  const { db } = meridian.database
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`.execute(db)
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{
      row: string
    }>`select row_to_json(t)::text as row from ${sql.raw(name)} as t`.execute(db)
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}
