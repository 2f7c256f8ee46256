import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLANS, type Plan } from '#core/plans/plan.ts'
import {
  type ConnectedOwner,
  makeConnectedOwner,
  waitUntilCalendarJobsFinish,
} from '#tests/support/connected-calendar.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'

let connected: ConnectedOwner
const { free } = PLANS

/**
 * These tests have an owner who connected an account and now has a plan without external calendars. Source: rule S4.
 */
setUpMeridian({
  calendarProviders: {
    google: makeFakeCalendarProvider({ hasPush: false }),
    caldav: makeFakeCalendarProvider({ connectsBy: 'password' }),
    ics: makeFakeCalendarProvider({ connectsBy: 'address' }),
  },
})
beforeAll(async () => {
  connected = await makeConnectedOwner(meridian, 'sofia')
  await waitUntilCalendarJobsFinish(meridian)
  await meridian.database.execute('delete from subscriptions where user_id = $1', [connected.owner.id])
  setFreePlan({ ...free, integrations: [] })
})
afterAll(async () => {
  setFreePlan(free)
})

test.each([
  ['connect an account at Google', 'POST', 'google/authorization', {}],
  [
    'connect a CalDAV server',
    'POST',
    'caldav',
    { url: 'https://dav.example/', username: 'sofia', password: 'secret' },
  ],
  ['connect an address', 'POST', 'ics', { url: 'https://files.example/calendar.ics' }],
  ['choose a calendar', 'PUT', 'choice', { reads: ['the calendar'], writes: null }],
  ['change a setting', 'PATCH', 'settings', { two_way_sync: false }],
] as const)('cannot %s', async (_what, method, path, payload) => {
  const body = 'reads' in payload ? { ...payload, reads: [connected.externalCalendarId] } : payload
  expectRefusal(await ask(method, path, body), 'external_calendar.not_in_plan')
})

test('can still read, sync, take the calendars away and disconnect', async () => {
  expect((await ask('GET', '')).statusCode).toBe(200)
  expect((await ask('POST', 'sync')).statusCode).toBe(200)
  expect((await ask('PUT', 'choice', { reads: [], writes: null })).statusCode).toBe(200)
  expect((await ask('DELETE', `connections/${connected.connectionId}`)).statusCode).toBe(200)
})

function ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) {
  return meridian.request({
    method,
    url: `/api/calendars/${connected.calendarId}/external-calendars${path === '' ? '' : `/${path}`}`,
    cookie: connected.owner.cookie,
    ...(payload === undefined ? {} : { payload }),
  })
}

/** Changes the free plan: currently every plan includes external calendars, so the test removes them from it. */
function setFreePlan(plan: Plan): void {
  Object.assign(PLANS, { free: plan })
}
