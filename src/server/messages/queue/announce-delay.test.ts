import { expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, startMeridian } from '#tests/support/meridian.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' }, calendar: 'file' })

test('the customer reads how much later it begins, on their clock; the appointment keeps its time', async () => {
  const id = await bookAt('2027-01-04T09:00:00Z')
  const answer = await tell(id, { minutes: 20, told: 0 })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json()).toEqual({ minutes: 20, told: 1 })
  const mail = await meridian.waitForMail(({ subject }) =>
    subject.startsWith('Running about 20 minutes late'),
  )
  expect(mail.to.address).toBe('grace@example.com')
  expect(mail.text).toContain('will start at about 9:20 AM (GMT)')
  expect(mail.text).toContain('London time, GMT')
  expect(mail.attachments).toEqual([])
  // The message counts towards the owner's email limit. Source: rule E2.
  const { caused_by } = await meridian.database.db
    .selectFrom('appointment_messages')
    .select('caused_by')
    .where('appointment_id', '=', id)
    .where('kind', '=', 'running_late')
    .executeTakeFirstOrThrow()
  expect(caused_by).toBe('owner')
  const row = await find(id)
  expect(row).toMatchObject({ starts_at: '2027-01-04T09:00:00.000Z', delay: { minutes: 20, told: 1 } })
})

test('pressed twice it is one message, and another window that knows of none is refused', async () => {
  const id = await bookAt('2027-01-04T09:30:00Z')
  const answers = await Promise.all([tell(id, { minutes: 10, told: 0 }), tell(id, { minutes: 10, told: 0 })])
  expect(answers.map((answer) => answer.json())).toEqual([
    { minutes: 10, told: 1 },
    { minutes: 10, told: 1 },
  ])
  expectRefusal(await tell(id, { minutes: 30, told: 0 }), 'message.changed_meanwhile')
  expect(await countDelays(id)).toBe(1)
})

test('three times is the most, whoever the owner is', async () => {
  const id = await bookAt('2027-01-04T10:00:00Z')
  for (const told of [0, 1, 2]) {
    expect((await tell(id, { minutes: 15, told })).json()).toEqual({ minutes: 15, told: told + 1 })
  }
  expectRefusal(await tell(id, { minutes: 45, told: 3 }), 'delay.told_often')
  expect(await countDelays(id)).toBe(3)
})

test('only from two hours before the start until the later one has come', async () => {
  const id = await bookAt('2027-01-04T11:00:00Z')
  meridian.clock.ms = Date.parse('2027-01-04T08:59:59Z')
  expectRefusal(await tell(id, { minutes: 10, told: 0 }), 'delay.not_now')
  meridian.clock.ms = Date.parse('2027-01-04T11:10:00Z')
  expectRefusal(await tell(id, { minutes: 10, told: 0 }), 'delay.not_now')
  meridian.clock.ms = Date.parse('2027-01-04T11:09:59Z')
  expect((await tell(id, { minutes: 10, told: 0 })).statusCode).toBe(200)
})

test('not about an appointment that is not confirmed, or whose customer gave no address', async () => {
  const { id: calendarId, slug } = await makeCalendar(meridian, owner, { name: 'Another' })
  const id = await bookAt('2027-01-04T09:00:00Z', { slug })
  await change(id, { status: 'cancelled' })
  expectRefusal(await tell(id, { minutes: 10, told: 0 }, calendarId), 'delay.not_now')
  await change(id, { status: 'confirmed' })
  await meridian.database.db
    .updateTable('customers')
    .set({ email: null })
    .where('calendar_id', '=', calendarId)
    .execute()
  expectRefusal(await tell(id, { minutes: 10, told: 0 }, calendarId), 'delay.no_email')
})

test('nobody else can tell the customers of an owner anything', async () => {
  const id = await bookAt('2027-01-04T10:30:00Z')
  const stranger = await makeOwner(meridian)
  const url = `/api/calendars/${calendar.id}/appointments/${id}/delay`
  const asked = { method: 'POST', url, payload: { minutes: 10, told: 0 } } as const
  expectRefusal(await meridian.request({ ...asked, cookie: stranger.cookie }), 'calendar.forbidden')
  expectRefusal(await meridian.request(asked), 'auth.required')
  expect(await countDelays(id)).toBe(0)
})

test('no other minutes can be said, and no text', async () => {
  meridian.clock.ms = Date.parse('2027-01-04T10:00:00Z')
  const id = await bookAt('2027-01-04T11:30:00Z')
  expect((await tell(id, { minutes: 600, told: 0 })).statusCode).toBe(400)
  await tell(id, { minutes: 5, told: 0, text: 'Buy this' })
  const mail = await meridian.waitForMail(({ subject }) => subject.startsWith('Running about 5 minutes late'))
  expect(mail.html).not.toContain('Buy this')
})

test('a delay that could not be sent before the later start is not sent any more', async () => {
  const quiet = await startMeridian({ hasWorkers: false })
  const somebody = await makeOwner(quiet)
  const { id: calendarId, slug } = await makeCalendar(quiet, somebody)
  const { id } = (await bookAppointment(quiet, slug, { starts_at: '2027-01-04T09:00:00Z' })).json()
  const told = await quiet
    .as(somebody)
    .post(`/api/calendars/${calendarId}/appointments/${id}/delay`, { minutes: 10, told: 0 })
  expect(told.statusCode, told.body).toBe(200)
  quiet.clock.ms = Date.parse('2027-01-04T09:10:00Z')
  await quiet.startWorkers()
  const isDropped = async () => {
    const row = await quiet.database.db
      .selectFrom('appointment_messages')
      .select(['state', 'drop_reason'])
      .where('kind', '=', 'running_late')
      .executeTakeFirstOrThrow()
    return row.state === 'dropped' ? row.drop_reason : null
  }
  await expect.poll(isDropped, { timeout: 30_000, interval: 50 }).toBe('past')
  expect(quiet.mails.filter(({ subject }) => subject.includes('minutes late'))).toEqual([])
  await quiet.stop()
})

async function change(id: string, values: { status: 'cancelled' | 'confirmed' }): Promise<void> {
  await meridian.database.db.updateTable('appointments').set(values).where('id', '=', id).execute()
}

async function bookAt(starts_at: string, { slug } = { slug: calendar.slug }): Promise<string> {
  const answer = await bookAppointment(meridian, slug, { starts_at })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id
}

function tell(id: string, payload: Record<string, unknown>, calendarId = calendar.id) {
  return owner.post(`/api/calendars/${calendarId}/appointments/${id}/delay`, payload)
}

async function find(id: string) {
  const url = `/api/calendars/${calendar.id}/appointments?filter=all`
  const { appointments } = (await owner.get(url)).json()
  return appointments.find((row: { id: string }) => row.id === id)
}

async function countDelays(id: string): Promise<number> {
  const rows = await meridian.database.db
    .selectFrom('appointment_messages')
    .select('id')
    .where('appointment_id', '=', id)
    .where('kind', '=', 'running_late')
    .execute()
  return rows.length
}
