import { expect, test } from 'vitest'
import type { AppointmentMessage } from '#contract/messages/messages.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'

setUpCalendar({ calendar: 'file' })

test('a booking has its messages, sent, and the reminder that is planned', async () => {
  const id = await bookAt('2027-01-08T10:00:00Z')
  await waitUntil(async () => (await list(id)).filter(({ state }) => state === 'sent').length === 2)
  const messages = await list(id)
  expect(messages.map(({ kind, recipient, state }) => [kind, recipient, state])).toEqual([
    ['reminder', 'customer', 'planned'],
    ['booking_confirmation', 'customer', 'sent'],
    ['owner_booking_notice', 'owner', 'sent'],
  ])
  expect(messages[0]).toMatchObject({ id: null, at: '2027-01-07T10:00:00.000Z', can_send_again: false })
  expect(messages[1]).toMatchObject({ repeat: 0, attempts: 1, can_send_again: true, last_error: null })
})

test('sent again, a message is a new one; a second click on the same button is not another', async () => {
  const id = await bookAt('2027-01-08T11:00:00Z')
  await waitUntil(async () => (await list(id)).filter(({ state }) => state === 'sent').length === 2)
  const confirmation = await find(id, 'booking_confirmation')
  const answers = await Promise.all([sendAgain(id, confirmation), sendAgain(id, confirmation)])
  for (const answer of answers) {
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toMatchObject({ repeat: 1 })
  }
  await waitUntil(async () => (await find(id, 'booking_confirmation')).state === 'sent')
  const ids = meridian.mails
    .map(({ messageId }) => messageId)
    .filter((name) => name.includes(`${confirmation.id}`))
  expect(ids).toEqual([`<${confirmation.id}@localhost>`, `<${confirmation.id}.1@localhost>`])
  // The request comes from a page that was loaded before the message was sent again.
  await sendAgain(id, { ...confirmation, repeat: 1 })
  expectRefusal(await sendAgain(id, confirmation), 'message.changed_meanwhile')
})

test('what has become untrue is not offered and not sent again', async () => {
  const id = await bookAt('2027-01-08T12:00:00Z')
  await waitUntil(async () => (await list(id)).filter(({ state }) => state === 'sent').length === 2)
  const confirmation = await find(id, 'booking_confirmation')
  const cancelled = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, {
    action: 'cancel',
  })
  expect(cancelled.statusCode).toBe(200)
  expect((await find(id, 'booking_confirmation')).can_send_again).toBe(false)
  // The list contains no planned reminder either.
  expect((await list(id)).map(({ kind }) => kind)).not.toContain('reminder')
  expectRefusal(await sendAgain(id, confirmation), 'message.not_true')
})

test('a message is found by its own appointment only', async () => {
  const id = await bookAt('2027-01-08T13:00:00Z')
  const other = await bookAt('2027-01-08T14:00:00Z')
  expectRefusal(await sendAgain(other, await find(id, 'booking_confirmation')), 'message.not_found')
})

test('the preview of a reminder is the real mail about the next appointment, or an example, and is sent to nobody', async () => {
  const somebody = await makeOwner(meridian)
  const { id, slug } = await makeCalendar(meridian, somebody)
  const url = `/api/calendars/${id}/reminder-preview?template=${encodeURIComponent('Bye {customer_name}, <b>{time}</b>')}`
  const preview = () => somebody.get(url)
  expect((await preview()).body).toContain('Bye Alex Morgan, &lt;b&gt;10:00 AM (GMT)&lt;/b&gt;')
  expect((await preview()).headers['content-security-policy']).toContain("default-src 'none'")
  const { booking_reference } = (
    await bookAppointment(meridian, slug, { starts_at: '2027-01-08T10:00:00Z' })
  ).json()
  const { body } = await preview()
  expect(body).toContain(booking_reference)
  expect(body).toContain('London time, GMT')
  expect((await owner.get(url)).statusCode).toBe(403)
  expect(meridian.mails.map(({ text }) => text).join()).not.toMatch(/Bye [A-Z]/)
})

async function bookAt(starts_at: string): Promise<string> {
  return (await bookAppointment(meridian, calendar.slug, { starts_at })).json().id
}

async function list(id: string): Promise<AppointmentMessage[]> {
  const url = `/api/calendars/${calendar.id}/appointments/${id}/messages`
  return (await owner.get(url)).json().messages
}

async function find(id: string, kind: string): Promise<AppointmentMessage> {
  const message = (await list(id)).find((candidate) => candidate.kind === kind)
  if (message === undefined) throw new Error(`no ${kind}`)
  return message
}

function sendAgain(id: string, message: Pick<AppointmentMessage, 'id' | 'repeat'>) {
  return owner.post(`/api/calendars/${calendar.id}/appointments/${id}/messages/${message.id}/send-again`, {
    repeat: message.repeat,
  })
}
