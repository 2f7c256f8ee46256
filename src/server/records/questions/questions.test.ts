import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Question } from '#contract/appointments/questions.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner } from '#tests/support/meridian.ts'

setUpOwner({ env: { DEFAULT_PLAN: 'enterprise' } })

const SECRET = 'I cannot sleep since March'

describe('questions', () => {
  test('are asked in their order, and a removed one is no longer asked', async () => {
    const shop = await makeCalendar(meridian, owner)
    const [first, second] = [ask('What brings you here?'), ask('Who referred you?')]
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
    ['question.condition_unknown', { shown_if: { question_id: randomUUID(), value: 'Yes' } }],
    ['request.invalid', { label: 'x'.repeat(201) }],
    ['request.invalid', { label: 'a\ud800' }],
    ['appointment_type.not_found', { appointment_type_id: randomUUID() }],
  ] as const)('are refused with %s', async (code, given) => {
    const shop = await makeCalendar(meridian, owner)
    expectRefusal(await store(shop, [{ ...ask('Why?'), ...given } as Question]), code)
  })

  test('are at most 20, and a change based on an outdated list is refused', async () => {
    const shop = await makeCalendar(meridian, owner)
    const many = Array.from({ length: 21 }, (_, i) => ask(`Question ${i}`))
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
    const first = ask('Have you been here before?', { kind: 'yes_no' })
    const second = ask('When?', { shown_if: { question_id: first.id, value: 'Yes' } })
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
    const question = ask('What brings you here?')
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
    const question = ask('I agree to the treatment contract.', { kind: 'consent', is_required: true })
    await store(shop, [question])
    const refused = await book(shop, {})
    expectRefusal(refused, 'answer.refused')
    expect(refused.json().errors).toEqual([
      { path: `answers.${question.id}`, message: 'Please agree to this to book.' },
    ])
    expect((await book(shop, { [question.id]: ['Yes'] })).statusCode).toBe(201)
  })

  test('to a question that was removed meanwhile are dropped', async () => {
    const shop = await makeCalendar(meridian, owner)
    const { id } = (await book(shop, { [randomUUID()]: ['late'] })).json()
    expect(await answersOf(shop, id)).toEqual([])
  })

  test('of a repeated request are stored once, and other answers with the same key are refused', async () => {
    const shop = await makeCalendar(meridian, owner)
    const question = ask('What brings you here?')
    await store(shop, [question])
    const first = await book(shop, { [question.id]: ['Back'] }, 'key')
    const again = await book(shop, { [question.id]: ['Back'] }, 'key')
    expect(again.json()).toEqual(first.json())
    expectRefusal(await book(shop, { [question.id]: ['Knee'] }, 'key'), 'request.key_reused')
    expect(await answersOf(shop, first.json().id)).toHaveLength(1)
  })

  test('of an owner’s booking may all be left open; those given are checked, encrypted if private, and kept', async () => {
    const shop = await makeCalendar(meridian, owner)
    const referrer = ask('Who referred you?', { is_required: true })
    const age = ask('How old are you?', { kind: 'number', is_required: true })
    const secret = ask('What brings you here?', { is_private: true })
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
    const question = ask('What brings you here?', { is_private: true })
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
    expect(record.json().answers).toMatchObject([{ appointment_id: id, value: [SECRET] }])
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
    const question = ask('What brings you here?')
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

function ask(label: string, more: Partial<Question> = {}): Question {
  return {
    id: randomUUID(),
    appointment_type_id: null,
    kind: 'text',
    label,
    help: null,
    is_required: false,
    is_private: false,
    choices: [],
    shown_if: null,
    ...more,
  }
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
