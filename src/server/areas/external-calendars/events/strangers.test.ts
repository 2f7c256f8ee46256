import { beforeAll, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { waitUntilCalendarJobsFinish } from '#tests/support/connected-calendar.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { openSandboxAccount, type SandboxAccount } from '#tests/support/sandbox-account.ts'
import { runEventSweep, waitUntilEventsWritten } from '#tests/support/written-calendar.ts'

const DATE = '2027-01-05'
const TEN = `${DATE}T10:00:00Z`
const AT_TEN = { start: `${DATE}T10:00`, end: `${DATE}T10:30` }
const AT_TWO = { start: `${DATE}T14:00`, end: `${DATE}T14:30` }

setUpMeridian()
beforeAll(async () => {
  await meridian.app.listen({ host: '127.0.0.1', port: 0 })
})

/** A customer knows the id of their appointment and can send the owner any invitation. Source: rule G27. */
describe.each(['google', 'microsoft'] as const)(
  'an invitation by a customer, at the stand-in of %s,',
  (provider) => {
    let owner: TestOwner
    let calendar: Calendar
    let account: SandboxAccount

    beforeAll(async () => {
      meridian.clock.ms = TEST_MONDAY
      owner = await makeOwner(meridian, { tier: 'business' })
      calendar = await makeCalendar(meridian, owner)
      const email = `mary@${provider}.example`
      account = await openSandboxAccount(meridian, { owner, calendar }, { provider, email, date: DATE })
      expect(await account.connect()).toContain('connected=')
      await waitUntilCalendarJobsFinish(meridian)
    })

    test('that exists before the event is written neither moves nor cancels the appointment', async () => {
      await account.switchFaults({ failing: 'on' })
      const { id } = (await bookAppointment(meridian, calendar.slug, { starts_at: TEN })).json()
      const bareId = id.replaceAll('-', '')
      for (const [title, own_property] of [
        ['Claim', id],
        ['Forgery', `${id}.${id}`],
      ] as const) {
        const claim = { id: title === 'Claim' ? `mrd${bareId}` : `mrd${bareId}${bareId}`, own_property }
        await account.press('/events', { title, answer: 'accepted', ...claim, ...AT_TEN })
      }
      await account.switchFaults()
      meridian.clock.ms += 20 * 60_000
      await runEventSweep(meridian)
      await waitUntilEventsWritten(meridian, calendar)
      for (const title of ['Claim', 'Forgery']) {
        await account.pressEvent(title, { action: 'move', ...AT_TWO })
        expect((await account.syncNow()).statusCode).toBe(200)
        await account.pressEvent(title, { action: 'delete' })
        expect((await account.syncNow()).statusCode).toBe(200)
      }
      await waitUntilCalendarJobsFinish(meridian)
      expect(await readAppointment(id)).toEqual({ status: 'confirmed', starts_at: new Date(TEN) })
      expect(await readHistory(id)).toEqual([])
      expect(await account.listTimes('Grace Hopper')).toEqual(['Tue, January 5, 2027, 10:00 to 10:30'])
    })

    test('does not replace the event that the owner deleted', async () => {
      const { id } = await getAppointment()
      const claim = { answer: 'accepted', own_property: id }
      await account.press('/events', { title: 'Claim', ...claim, ...AT_TWO })
      // These include an event of the owner that has only the id of the appointment, without the secret.
      await account.press('/events', { title: 'Copy', own_property: id, ...AT_TWO })
      await account.pressEvent('Grace Hopper', { action: 'delete' })
      await account.syncNow()
      await waitUntil(async () => (await readAppointment(id)).status === 'cancelled')
      expect(await readAppointment(id)).toEqual({ status: 'cancelled', starts_at: new Date(TEN) })
      expect(await readHistory(id)).toEqual([
        'The event was deleted in the external calendar, so the appointment was cancelled.',
      ])
    })

    function getAppointment() {
      return meridian.database.db
        .selectFrom('appointments')
        .select('id')
        .where('calendar_id', '=', calendar.id)
        .executeTakeFirstOrThrow()
    }

    async function readHistory(id: string): Promise<string[]> {
      const url = `/api/calendars/${calendar.id}/appointments/${id}/history`
      const { entries } = (await owner.get(url)).json()
      return entries.map(({ text }: { text: string }) => text)
    }
  },
)

function readAppointment(id: string) {
  return meridian.database.db
    .selectFrom('appointments')
    .select(['status', 'starts_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
