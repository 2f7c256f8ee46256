import { beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'
import { manageTokenOf } from '#tests/support/policies.ts'
import { queryRows, waitUntilEmailsSent } from '#tests/support/race-track.ts'
import {
  countSeatsTaken,
  findOtherParticipants,
  listMailsTo,
  makeParticipant,
  type Participant,
} from '#tests/support/sessions.ts'
import { addAppointmentType } from '#tests/support/stored-rows.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

const TUESDAY = '2027-01-05'
const NINE = `${TUESDAY}T09:00:00Z`
const THREE_PEOPLE = ['Alfa', 'Bravo', 'Charlie'] as const

let yoga: string

beforeEach(async () => {
  meridian.mails.length = 0
  yoga = await addAppointmentType(meridian, calendar.id, { name: 'Yoga', duration: 60, seats: 4 })
})

describe('a person in a session', () => {
  test('finds nobody else in their emails, their calendar files, their page or their data', async () => {
    const ids = await bookThree()
    await act(ids.Bravo, 'cancel')
    await act(ids.Bravo, 'restore')
    await waitUntilEmailsSent(meridian.database)
    for (const name of THREE_PEOPLE) {
      const managed = `/api/public/manage/${manageTokenOf(meridian, ids[name])}`
      const [page, file] = [await meridian.get(managed), await meridian.get(`${managed}/appointment.ics`)]
      const exported = await owner.get(`${customerPath(await customerOf(ids[name]))}/record`)
      const mails = listMailsTo(meridian, name)
      expect(mails.length, name).toBeGreaterThan(0)
      for (const { statusCode } of [page, file, exported]) expect(statusCode).toBe(200)
      const read = [
        page.body,
        file.body,
        exported.body,
        (await meridian.get(`${managed}/move`)).body,
        (await meridian.get(`${managed}/slots?date=${TUESDAY}`)).body,
        (await meridian.get(`/api/public/appointments/${ids[name]}`)).body,
        ...mails,
      ].join('\n')
      expect(read).toContain(name)
      expect(findOtherParticipants(read, name)).toEqual([])
    }
  })

  test('is nowhere in what visitors of the booking page read', async () => {
    await bookThree()
    const path = `/api/public/calendars/${calendar.slug}`
    const type = `appointment_type_id=${yoga}`
    const answers = [
      await meridian.get(path),
      await meridian.get(`${path}/slots?date=${TUESDAY}&${type}`),
      await meridian.get(`${path}/appointment-types`),
    ]
    const read = answers.map(({ body }) => body).join('\n')
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(read).toContain('"seats_left":1')
    expect(findOtherParticipants(read, 'Zulu')).toEqual([])
  })

  test('is erased alone, after they have given up their seat', async () => {
    const ids = await bookThree()
    const path = customerPath(await customerOf(ids.Alfa))
    expectRefusal(await owner.delete(`${path}/record`), 'customer.appointments_ahead')
    await act(ids.Alfa, 'cancel')
    await waitUntilEmailsSent(meridian.database)
    const before = await readStored([ids.Bravo, ids.Charlie])
    expect((await owner.delete(`${path}/record`)).statusCode).toBe(204)
    expect(await readStored([ids.Bravo, ids.Charlie])).toEqual(before)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2])
    const kept = JSON.stringify(await readStored([ids.Alfa]))
    expect(kept).not.toMatch(/Alfa|alfa@/)
  })

  test('keeps every seat when the owner merges two records of theirs', async () => {
    const ids = await bookThree()
    const [kept, gone] = [await customerOf(ids.Alfa), await customerOf(ids.Bravo)]
    const merged = await owner.post(`${customerPath(kept)}/merge`, { other_id: gone })
    expect(merged.statusCode, merged.body).toBe(200)
    expect(await countSeatsTaken(meridian, calendar)).toEqual([3])
    const exported = (await owner.get(`${customerPath(kept)}/record`)).json()
    const seats = exported.appointments.map(({ id }: { id: string }) => id).sort()
    expect(seats).toEqual([ids.Alfa, ids.Bravo].sort())
    await act(ids.Bravo, 'cancel')
    expect(await countSeatsTaken(meridian, calendar)).toEqual([2])
  })
})

async function bookThree(): Promise<Record<(typeof THREE_PEOPLE)[number], string>> {
  return { Alfa: await book('Alfa'), Bravo: await book('Bravo'), Charlie: await book('Charlie') }
}

async function book(name: Participant): Promise<string> {
  const body = { starts_at: NINE, appointment_type_id: yoga, customer: makeParticipant(name) }
  const booked = await bookAppointment(meridian, calendar.slug, body)
  expect(booked.statusCode, booked.body).toBe(201)
  expect(findOtherParticipants(booked.body, name)).toEqual([])
  return booked.json().id
}

async function act(id: string, action: 'cancel' | 'restore'): Promise<void> {
  const answer = await owner.post(`/api/calendars/${calendar.id}/appointments/${id}/actions`, { action })
  expect(answer.statusCode, answer.body).toBe(200)
}

function customerPath(id: string): string {
  return `/api/calendars/${calendar.id}/customers/${id}`
}

async function customerOf(appointmentId: string): Promise<string> {
  const text = 'select customer_id from appointments where id = $1'
  const [row] = await queryRows(meridian.database, text, [appointmentId])
  return String(row?.customer_id)
}

/** Returns what is stored about appointments and their customers. */
function readStored(ids: readonly string[]) {
  const text = `select to_jsonb(appointments) as appointment, to_jsonb(customers) as customer
    from appointments join customers on customers.id = customer_id and customers.calendar_id = appointments.calendar_id
    where appointments.id = any ($1) order by appointments.id`
  return queryRows(meridian.database, text, [ids])
}
