import { expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar } from '#tests/support/meridian.ts'

// The clock of a calendar. Source: rule W24.

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

/** A time with AM or PM, which the 24-hour clock does not have. */
const HALF_DAY = /\d\s*[AP]M\b/

test('a calendar has the 12-hour clock until its owner chooses the other', async () => {
  expect(calendar.hour_cycle).toBe('h12')
  const changed = await owner.patch(`/api/calendars/${calendar.id}`, { hour_cycle: 'h23' })
  expect(changed.json()).toMatchObject({ hour_cycle: 'h23' })
  const page = await meridian.get(`/api/public/calendars/${calendar.slug}`)
  expect(page.json()).toMatchObject({ hour_cycle: 'h23' })
  const made = await makeCalendar(meridian, owner, { hour_cycle: 'h23' })
  expect(made.hour_cycle).toBe('h23')
  for (const wrong of ['h24', '24', null]) {
    const refused = await owner.patch(`/api/calendars/${calendar.id}`, { hour_cycle: wrong })
    expect(refused.statusCode).toBe(400)
  }
})

test('the emails, files and history of a 24-hour calendar have no AM and PM', async () => {
  const { id, slug } = await make24HourCalendar()
  const email = `grace.${id}@example.com`
  const customer = { name: 'Grace Hopper', email }
  const booked = await bookAppointment(meridian, slug, { starts_at: '2027-01-04T15:00:00Z', customer })
  expect(booked.json()).toMatchObject({ hour_cycle: 'h23' })
  await meridian.waitForMail(({ to }) => to.address === email)

  const path = `/api/calendars/${id}/appointments/${booked.json().id}`
  const body = { starts_at: '2027-01-04T16:00:00Z', expected_starts_at: '2027-01-04T15:00:00Z' }
  expect((await owner.post(`${path}/move`, body)).statusCode).toBe(200)
  await meridian.waitForMail(({ to, text }) => to.address === email && text.includes('new time'))
  const about = meridian.mails.filter((mail) => partsOf(mail).some((part) => part.includes('Grace Hopper')))
  expect(about.length).toBeGreaterThanOrEqual(3)
  for (const part of about.flatMap(partsOf)) expect(part).not.toMatch(HALF_DAY)
  expect(about.map(({ text }) => text).join()).toContain('15:00 – 15:30')

  const history = (await owner.get(`${path}/history`)).body
  expect(history).toContain('16:00 – 16:30')
  expect(history).not.toMatch(HALF_DAY)
  const { appointments } = (await owner.get(`/api/calendars/${id}/appointments`)).json()
  expect(appointments).toEqual([expect.objectContaining({ hour_cycle: 'h23' })])
})

function make24HourCalendar(): Promise<Calendar> {
  return makeCalendar(meridian, owner, { hour_cycle: 'h23' })
}

function partsOf({ subject, text, html, attachments }: OutgoingMail): string[] {
  return [subject, text, html ?? '', ...attachments.map(({ content }) => String(content))]
}
