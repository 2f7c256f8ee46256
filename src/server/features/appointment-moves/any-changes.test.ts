import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars.ts'
import { workOnManyChange } from '#server/features/many-changes/jobs.ts'
import { sendAppointmentMail } from '#server/features/messages/jobs.ts'
import {
  book,
  MONDAY,
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { savePolicy, tokenOf } from '#tests/support/policies.ts'
import { readNumber, readRows } from '#tests/support/race-track.ts'

/** Any sequence of changes by owners and customers, with mails that leave at any time, breaks no invariant. */

let meridian: TestMeridian
let owner: TestOwner

beforeAll(async () => {
  // A message leaves when a step says so.
  meridian = await startMeridian({ hasWorkers: false, undoSeconds: 30, env: { DEFAULT_PLAN: 'enterprise' } })
  owner = await makeOwner(meridian)
})
afterAll(() => meridian.stop())

/** Half hours of a day that opens from 9:00 to 17:00. */
const slot = fc.integer({ min: 0, max: 5 })
const index = fc.integer({ min: 0, max: 3 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('book' as const), slot }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), index, slot }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move_by_customer' as const), index, slot }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel_day' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('offer_day' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('send' as const), index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

test('whatever is booked, moved, cancelled, restored and offered: no overlap, SEQUENCE rises, one live message an occasion', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const calendar = await makeCalendar(meridian, owner)
      await savePolicy(meridian, owner, calendar, {
        moving: { kind: 'until', hours: 0, times: null },
        cancelling: { kind: 'by_request' },
        refunds: [],
      })
      const world: World = { calendar, sequences: new Map() }
      for (const one of steps) {
        await take(world, one)
        await expectInvariants(world)
      }
    }),
    { numRuns: 25 },
  )
})

type World = { readonly calendar: Calendar; readonly sequences: Map<string, number> }
type Row = { id: string; starts_at: Date; status: string; payment_status: string; sequence: number }

async function take({ calendar }: World, one: Step): Promise<void> {
  const rows = await listRows(calendar)
  if (one.kind === 'book') {
    await book(meridian, calendar.slug, { starts_at: timeOf(one.slot) })
  } else if (one.kind === 'wait') {
    meridian.clock.ms += 20_000
  } else if (one.kind === 'cancel_day' || one.kind === 'offer_day') {
    await changeDay(calendar, one.kind === 'cancel_day' ? 'cancel' : 'offer')
  } else if (one.kind === 'send') {
    await sendOne(calendar, one.index)
  } else {
    const row = rows[one.index % Math.max(1, rows.length)]
    if (row !== undefined) await changeOne(calendar, row, one)
  }
}

type ChangeOfOne = Extract<Step, { kind: 'move' | 'move_by_customer' | 'cancel' | 'restore' }>

async function changeOne({ id: calendarId }: Calendar, row: Row, one: ChangeOfOne): Promise<void> {
  const base = `/api/calendars/${calendarId}/appointments/${row.id}`
  const expected_starts_at = row.starts_at.toISOString()
  const { cookie } = owner
  if (one.kind === 'cancel' || one.kind === 'restore') {
    const was = { status: row.status, payment_status: row.payment_status }
    await meridian.request({
      method: 'POST',
      url: `${base}/actions`,
      cookie,
      payload: { action: one.kind, was },
    })
    return
  }
  const payload = { starts_at: timeOf(one.slot), expected_starts_at }
  const isByOwner = one.kind === 'move'
  const url = isByOwner ? `${base}/move` : `/api/public/manage/${tokenOf(meridian, row.id)}/move`
  await meridian.request({
    method: 'POST',
    url,
    cookie: isByOwner ? cookie : undefined,
    payload: isByOwner ? { ...payload, outside_hours: true } : payload,
  })
}

async function changeDay({ id: calendarId }: Calendar, kind: 'cancel' | 'offer'): Promise<void> {
  const days = { from: '2027-01-08', to: '2027-01-08' }
  const url = `/api/calendars/${calendarId}/many-changes`
  const { cookie } = owner
  const effect = await meridian.request({ url: `${url}/effect?${new URLSearchParams(days)}`, cookie })
  const changeId = randomUUID()
  const payload = {
    ...days,
    id: changeId,
    kind,
    message: 'Ill.',
    expected: effect.json().appointments.length,
  }
  const answer = await meridian.request({ method: 'POST', url, cookie, payload })
  if (answer.statusCode === 202) await workOnManyChange(meridian.deps, { calendarId, changeId })
}

/** A worker takes one of the messages that wait. */
async function sendOne({ id: calendarId }: Calendar, at: number): Promise<void> {
  const waiting = await readRows(
    meridian.database,
    `select id, repeat from appointment_messages where calendar_id = $1 and state = 'queued' order by created_at, id`,
    [calendarId],
  )
  const message = waiting[at % Math.max(1, waiting.length)]
  if (message === undefined) return
  const mailer = { send: async () => {}, close: async () => {} }
  const job = { calendarId, messageId: String(message.id), repeat: Number(message.repeat) }
  await sendAppointmentMail({ ...meridian.deps, mailer }, job)
}

async function expectInvariants({ calendar, sequences }: World): Promise<void> {
  const overlaps = `select count(*) from appointments a join appointments b on a.calendar_id = b.calendar_id and a.id < b.id
    where a.calendar_id = $1 and a.status <> 'cancelled' and b.status <> 'cancelled' and a.blocked && b.blocked`
  expect(await readNumber(meridian.database, overlaps, [calendar.id])).toBe(0)
  for (const { id, sequence } of await listRows(calendar)) {
    expect(sequence).toBeGreaterThanOrEqual(sequences.get(id) ?? 0)
    sequences.set(id, sequence)
  }
  // Of what may still be sent, nothing is said twice to one person about one revision.
  const doubled = `select count(*) from (
    select from appointment_messages m join appointments a on a.calendar_id = m.calendar_id and a.id = m.appointment_id
    where m.calendar_id = $1 and m.state = 'queued' and m.sequence = a.sequence
    group by m.appointment_id, m.recipient, m.kind, m.sequence having count(*) > 1) as twice`
  const isOffered = `select count(*) from many_changes where calendar_id = $1 and kind = 'offer'`
  // Two offers for one revision are two occasions.
  if ((await readNumber(meridian.database, isOffered, [calendar.id])) < 2) {
    expect(await readNumber(meridian.database, doubled, [calendar.id])).toBe(0)
  }
  const ofOneMove = `select count(*) from (
    select from appointment_messages m join appointments a on a.calendar_id = m.calendar_id and a.id = m.appointment_id
    where m.calendar_id = $1 and m.undo is not null and m.state = 'queued' and m.sequence = a.sequence
    group by m.appointment_id, m.recipient having count(*) > 1) as twice`
  expect(await readNumber(meridian.database, ofOneMove, [calendar.id])).toBe(0)
}

async function listRows({ id }: Calendar): Promise<Row[]> {
  const text =
    'select id, starts_at, status, payment_status, sequence from appointments where calendar_id = $1 order by id'
  // As the columns are.
  return (await readRows(meridian.database, text, [id])) as unknown as Row[]
}

function timeOf(at: number): string {
  const friday = MONDAY + 4 * 86_400_000 + 3_600_000
  return new Date(friday + at * 1_800_000).toISOString()
}
