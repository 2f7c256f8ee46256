import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import {
  MONDAY,
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { addAppointment, type StoredAppointment } from '#tests/support/stored-rows.ts'
import { type AppointmentMailJob, type AppointmentMailKind, sendAppointmentMail } from './jobs.ts'

/** Messages are sent by hand here, so that they can be late. */
let meridian: TestMeridian
let owner: TestOwner
let calendar: Calendar
const sent: OutgoingMail[] = []
let nowMs = MONDAY

beforeAll(async () => {
  meridian = await startMeridian()
  owner = await makeOwner(meridian)
  calendar = await makeCalendar(meridian, owner)
})
beforeEach(() => {
  sent.length = 0
  nowMs = MONDAY
})
afterAll(() => meridian.stop())

const CHANGED_AT = '2027-01-04T08:00:00.000Z'

describe('a message that comes late', () => {
  test('says nothing of a booking that was cancelled meanwhile', async () => {
    const appointmentId = await add({ status: 'cancelled', sequence: 1 })
    await send({ kind: 'booking_confirmation', appointmentId })
    await send({ kind: 'owner_booking_notice', appointmentId })
    expect(sent).toEqual([])
  })

  test('confirms to the customer nothing that is over, and still tells the owner who came', async () => {
    const appointmentId = await add()
    nowMs = Date.parse('2027-03-01T00:00:00Z')
    await send({ kind: 'booking_confirmation', appointmentId })
    expect(sent).toEqual([])
    await send({ kind: 'owner_booking_notice', appointmentId })
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['restored', { status: 'cancelled', sequence: 3 }],
    ['owner_restored', { status: 'cancelled', sequence: 3 }],
    ['cancelled', { status: 'confirmed', sequence: 3 }],
    ['owner_cancelled', { status: 'confirmed', sequence: 3 }],
    ['cancelled', { status: 'cancelled', sequence: 4 }],
    ['cancellation_denied', { status: 'cancelled', sequence: 2 }],
    ['cancellation_denied', { status: 'pending_cancellation', sequence: 2 }],
    ['owner_cancellation_request', { status: 'confirmed', sequence: 2 }],
  ] as const)('%s says nothing when it stands at %j', async (kind, values) => {
    const appointmentId = await add(values)
    await send({ kind, appointmentId, revision: { sequence: 2, changedAt: CHANGED_AT } })
    expect(sent).toEqual([])
  })
})

test('a message is the same each time it is tried, whatever has happened to the row', async () => {
  const appointmentId = await add({ status: 'pending_cancellation' })
  const job: AppointmentMailJob = {
    kind: 'owner_cancellation_request',
    appointmentId,
    revision: { sequence: 0, changedAt: CHANGED_AT },
  }
  await send(job)
  await meridian.database.db
    .updateTable('appointments')
    .set({ updated_at: new Date(MONDAY + 60_000) })
    .where('id', '=', appointmentId)
    .execute()
  await send(job)
  await send({ ...job, revision: { sequence: 0, changedAt: '2027-01-05T08:00:00.000Z' } })
  const [first, again, next] = sent
  expect(again).toEqual(first)
  expect(next?.messageId).not.toBe(first?.messageId)
})

describe('the owner’s switches', () => {
  const MESSAGES = [
    ['notify_bookings', 'owner_booking_notice', 'confirmed'],
    ['notify_bookings', 'owner_restored', 'confirmed'],
    ['notify_bookings', 'owner_confirmed', 'confirmed'],
    ['notify_cancellation_requests', 'owner_cancellation_request', 'pending_cancellation'],
    ['notify_cancellations', 'owner_cancelled', 'cancelled'],
  ] as const

  test.each(MESSAGES)('%s decides about %s when it is sent', async (name, kind, status) => {
    const job = await jobOf(kind, status)
    await turn({ [name]: false })
    await send(job)
    expect(sent).toEqual([])
    await turn({ notify_bookings: false, notify_cancellation_requests: false, notify_cancellations: false })
    await turn({ [name]: true })
    await send(job)
    expect(sent.map(({ to }) => to.address)).toEqual([owner.email])
    await turn({ notify_bookings: true, notify_cancellation_requests: true, notify_cancellations: true })
  })

  test('say nothing about messages to customers', async () => {
    await turn({ notify_bookings: false, notify_cancellations: false })
    await send(await jobOf('booking_confirmation', 'confirmed'))
    await send(await jobOf('cancelled', 'cancelled'))
    expect(sent).toHaveLength(2)
    await turn({ notify_bookings: true, notify_cancellations: true })
  })

  async function turn(switches: Partial<Record<(typeof MESSAGES)[number][0], boolean>>): Promise<void> {
    const { db } = meridian.database
    await db.updateTable('profiles').set(switches).where('id', '=', owner.id).execute()
  }

  async function jobOf(
    kind: AppointmentMailKind,
    status: 'confirmed' | 'cancelled' | 'pending_cancellation',
  ): Promise<AppointmentMailJob> {
    return {
      kind,
      appointmentId: await add({ status }),
      revision: { sequence: 0, changedAt: CHANGED_AT },
    }
  }
})

let days = 0
function add(values: Partial<StoredAppointment> = {}): Promise<string> {
  days += 1
  const startsAt = new Date(Date.parse('2027-01-10T09:00:00Z') + days * 86_400_000).toISOString()
  return addAppointment(meridian, calendar.id, { startsAt, ...values })
}

function send(job: AppointmentMailJob): Promise<void> {
  const mailer = {
    send: async (mail: OutgoingMail) => {
      sent.push(mail)
    },
    close: async () => {},
  }
  return sendAppointmentMail(
    {
      db: meridian.database.db,
      now: () => nowMs,
      mailer,
      origin: MAIL_ORIGIN,
      baseUrl: 'https://book.example',
      log: { warn: () => {}, info: () => {} },
    },
    job,
  )
}
