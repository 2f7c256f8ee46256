// @module-tag slow
import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFakeProviders } from '#tests/support/checkouts.ts'
import { makeFakeBilling } from '#tests/support/fake-billing-provider.ts'
import { makeFakeCalendarProvider } from '#tests/support/fake-calendar-provider.ts'
import {
  makeBookingBody,
  startMeridian,
  TEST_MONDAY,
  type TestMeridian,
  toCookieHeader,
} from '#tests/support/meridian.ts'
import { printDuration, startOnPostgresServer, waitUntilEmailsSent } from '#tests/support/race-track.ts'
import { addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'
import { totpAt } from '#tests/support/totp.ts'
import { makeWaitingRequestBody, tokenInWaitingListEmail, waitForOffer } from '#tests/support/waiting.ts'

/**
 * Code that needs a second connection while it holds one waits forever when the pool has only one. These tests call every
 * operation on a pool of one connection, for several people at the same time and while their emails are sent. A request that
 * waits is refused after `TEST_DATABASE_TIMEOUT_MS`, which fails the test.
 */
const PEOPLE = 3

const LOGO = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="8"/>').toString('base64')

const providers = makeFakeProviders()
const calendarProviders = {
  google: makeFakeCalendarProvider(),
  caldav: makeFakeCalendarProvider({ connectsBy: 'password' }),
  ics: makeFakeCalendarProvider({ connectsBy: 'address' }),
}

const billing = makeFakeBilling(() => TEST_MONDAY)

const TRACKS = [
  {
    where: 'a server with a pool of 1',
    start: () => startOnPostgresServer({ poolSize: 1, providers, calendarProviders, billing }),
  },
  {
    where: 'the embedded database',
    start: () => startMeridian({ providers, calendarProviders, billing }),
  },
]

describe.each(TRACKS)('on $where', ({ where, start }) => {
  let meridian: TestMeridian

  beforeAll(async () => {
    meridian = await start()
  })
  afterAll(() => meridian.stop())

  test('3 people walk through every operation at the same time and none stalls', async () => {
    const operations = listOperations(meridian)
    const called = new Set<string>()
    const durations: number[] = []
    const call: Call = async (operationId, { cookie, params, headers, payload }, status) => {
      const operation = operations.get(operationId)
      if (operation === undefined) throw new Error(`there is no operation ${operationId}`)
      const startMs = performance.now()
      const answer = await meridian.request({
        method: operation.method,
        url: toUrl(operation.path, params ?? {}),
        cookie,
        ...(headers === undefined ? {} : { headers }),
        ...(payload === undefined ? {} : { payload }),
      })
      durations.push(performance.now() - startMs)
      called.add(operationId)
      expect(answer.statusCode, `${operationId}: ${answer.body}`).toBe(status)
      return answer
    }

    await Promise.all(Array.from({ length: PEOPLE }, (_, i) => walk(meridian, call, i)))

    expect([...called].sort()).toEqual([...operations.keys()].sort())
    printDuration(`slowest of ${durations.length} requests on ${where}`, Math.max(...durations))
    await waitUntilEmailsSent(meridian.database)
  })
})

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Path parameters by name; query parameters with a leading question mark. */
type Params = Readonly<Record<string, string>>
type Request = {
  readonly cookie?: string
  readonly params?: Params
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: object
}
/** Calls an operation by its id, and expects the status. */
type Call = (operationId: string, request: Request, status: number) => Promise<LightMyRequestResponse>

/** Performs one person's actions from the registration to the deletion of a calendar. */
async function walk(meridian: TestMeridian, call: Call, i: number): Promise<void> {
  const email = `walker-${i}-${randomUUID()}@example.com`
  const cookie = await register(meridian, call, email)
  await call('checkSubscription', { cookie }, 200)
  const { id, slug } = (await call('createCalendar', { cookie, payload: { name: `Walk ${i}` } }, 201)).json()
  const calendar = { cookie, params: { id } }
  await call('listCalendars', { cookie }, 200)
  await call('getCalendar', calendar, 200)
  await call('updateCalendar', { ...calendar, payload: { timezone: 'europe/london' } }, 200)
  await call('getCalendarOutlook', calendar, 200)
  const { people } = (await call('listPeople', { cookie }, 200)).json()
  const owner_id = people[0].id
  await call('listOverlapsWithPerson', { cookie, params: { id, '?name': 'Jon Osei' } }, 200)
  await call('changePersonOfCalendar', { ...calendar, payload: { name: 'Jon Osei' } }, 200)
  await call('changePersonOfCalendar', { ...calendar, payload: { person_id: owner_id } }, 200)
  await call('listKeptOverlaps', { cookie }, 200)
  await call('putKeptOverlapsAway', { cookie }, 204)
  await call('listUndeliveredMessages', calendar, 200)
  await call('listPageProblems', { cookie }, 200)
  const questions = (await call('listQuestions', calendar, 200)).json().questions
  await call('changeQuestions', { ...calendar, payload: { questions, was: questions } }, 200)
  await call('getReminderPreview', { cookie, params: { id, '?template': 'See you soon' } }, 200)

  const payload = { name: 'Consultation', duration: 30 }
  const type_id = (await call('createAppointmentType', { ...calendar, payload }, 201)).json().id
  const type = { cookie, params: { id, type_id } }
  const series_rule = { every_weeks: [1], most_dates: 4 }
  await call('previewAppointmentType', { ...calendar, payload: { duration: 45, from: '2027-01-04' } }, 200)
  await call('updateAppointmentType', { ...type, payload: { ...payload, duration: 60, series_rule } }, 200)
  await call('listAppointmentTypes', calendar, 200)
  await call('getAppointmentTypeUsage', type, 200)
  await call('orderAppointmentTypes', { ...calendar, payload: { appointment_type_ids: [type_id] } }, 204)
  await keepPlaces(call, calendar)
  await openHours(call, calendar)
  await bookForCustomer(call, calendar, type_id)
  const requested = await bookAndCancel(meridian, call, { id, slug, type_id })
  await bookWithCode(meridian, call, { calendar, slug, type_id })
  await manageOwn(meridian, call, { slug, type_id })
  await waitForTime(meridian, call, { calendar, slug, type_id })
  const appointment = { cookie, params: { id, appointment_id: requested } }
  const [message] = (await call('listAppointmentMessages', appointment, 200)).json().messages
  const again = { cookie, params: { ...appointment.params, message_id: message.id } }
  await call('sendMessageAgain', { ...again, payload: { repeat: message.repeat } }, 200)
  for (const action of ['approve_cancellation', 'restore', 'mark_paid']) {
    await call('actOnAppointment', { ...appointment, payload: { action } }, 200)
  }
  await call('tellDelay', { ...appointment, payload: { minutes: 10, told: 0 } }, 200)
  await call('actOnAppointment', { ...appointment, payload: { action: 'refund' } }, 200)
  await call('markNoShow', { ...appointment, payload: { no_show: false } }, 200)
  await call('settleRefund', { ...appointment, payload: { way: 'retry' } }, 409)
  await call('getOwnerDay', { cookie }, 200)
  await call('getInsights', calendar, 200)

  await call('listAppointments', { cookie, params: { id, '?filter': 'all' } }, 200)
  await call('getAppointmentAgenda', { cookie, params: { id, '?from': '2027-01-04', '?days': '7' } }, 200)
  await call('exportAppointments', { cookie, params: { id, '?filter': 'all' } }, 200)
  await call('listUpcomingAppointments', { cookie }, 200)
  await call('listAllAppointments', { cookie, params: { '?filter': 'all', '?search': 'a' } }, 200)
  await call('getOwnAppointment', { cookie, params: { appointment_id: requested } }, 200)
  await call('getAppointmentAnswers', appointment, 200)
  await call('exportAllAppointments', { cookie, params: { '?filter': 'all' } }, 200)
  await call('getAllAppointmentsAgenda', { cookie, params: { '?from': '2027-01-04' } }, 200)
  await call('listAllUndeliveredMessages', { cookie }, 200)
  await call('getAllInsights', { cookie }, 200)
  await connectAccount(call, calendar)
  await keepPlan(call, calendar)
  await keepDomain(call, calendar, i)
  await giveLook(call, calendar)
  await connectOwnCalendars(call, calendar, requested)
  await copyCalendar(call, calendar)
  await call('deleteAppointmentType', type, 204)
  await call('deleteCalendar', calendar, 204)
  await secure(call, email, cookie)
  await leave(meridian, call, cookie)
}

/**
 * Two customers wait for a time. One declines the offer and leaves the list. The owner offers the other one a time twice, and
 * that customer accepts.
 */
async function waitForTime(
  meridian: TestMeridian,
  call: Call,
  {
    calendar,
    slug,
    type_id,
  }: { calendar: Required<Pick<Request, 'cookie' | 'params'>>; slug: string; type_id: string },
): Promise<void> {
  const wish = { appointment_type_id: type_id, from_date: '2027-01-20', to_date: '2027-01-20' }
  const [one, other] = [`one-${randomUUID()}@example.com`, `other-${randomUUID()}@example.com`]
  await call(
    'joinWaitingList',
    { params: { slug }, payload: makeWaitingRequestBody({ ...wish, email: one }) },
    202,
  )
  const mail = await meridian.waitForMail(({ to }) => to.address === one)
  const place = { params: { token: tokenInWaitingListEmail(mail) } }
  // As if the customer had asked when no time was free, so that a free time is offered to them.
  const askedBefore = 'update waiting_entries set look_no = 0 where customer_email = $1'
  await meridian.database.execute(askedBefore, [one])
  await call('getWaitingView', place, 200)
  await call('confirmWaiting', place, 200)
  const offered = { params: { token: tokenInWaitingListEmail(await waitForOffer(meridian, one)) } }
  await call('declineOffer', offered, 200)
  await call('leaveWaitingList', place, 200)

  // The practice is closed in the evening, so Meridian offers this customer nothing automatically.
  const evening = makeWaitingRequestBody({
    ...wish,
    email: other,
    day_parts: ['evening'],
    time_zone: undefined,
  })
  const entry_id = (await call('addToWaitingList', { ...calendar, payload: evening }, 201)).json().id
  const entry = { ...calendar, params: { ...calendar.params, entry_id } }
  await call('listWaiting', calendar, 200)
  await call('listWaitingCounts', { cookie: calendar.cookie }, 200)
  await call('listFittingTimes', entry, 200)
  await call('makeOffer', { ...entry, payload: { starts_at: '2027-01-20T11:00:00Z' } }, 204)
  const first = await waitForOffer(meridian, other)
  await call('withdrawOffer', entry, 204)
  await call('makeOffer', { ...entry, payload: { starts_at: '2027-01-20T13:00:00Z' } }, 204)
  const second = await waitForOffer(meridian, other, first.messageId)
  await call('acceptOffer', { params: { token: tokenInWaitingListEmail(second) }, payload: {} }, 200)
  await call('removeFromWaitingList', entry, 204)
}

/** The owner's external calendars: connects, chooses, displays, writes to and disconnects them. Also the calendar's own feed. */
async function connectOwnCalendars(
  call: Call,
  calendar: Required<Pick<Request, 'cookie' | 'params'>>,
  appointmentId: string,
): Promise<void> {
  const { cookie, params } = calendar
  const google = { cookie, params: { ...params, provider: 'google' } }
  const { authorization_url } = (
    await call('authorizeExternalCalendar', { ...google, payload: { access: 'write' } }, 200)
  ).json()
  const state = new URL(authorization_url).searchParams.get('state') ?? ''
  const back = { provider: 'google', '?state': state, '?code': `walker-${randomUUID()}` }
  await call('completeCalendarAuthorization', { cookie, params: back }, 303)
  const login = { url: 'https://dav.example', username: `walker-${randomUUID()}`, password: 'secret' }
  await call('connectCaldav', { ...calendar, payload: login }, 200)
  const address = { url: `https://files.example/${randomUUID()}.ics` }
  await call('connectIcs', { ...calendar, payload: address }, 200)
  const { connections } = (await call('getExternalCalendars', calendar, 200)).json()
  const ids: string[] = connections.flatMap((each: { calendars: { id: string }[] }) =>
    each.calendars.map(({ id }) => id),
  )
  const written = connections.find((each: { provider: string }) => each.provider === 'caldav')
  const choice = { reads: ids, writes: written.calendars[0].id }
  await call('chooseExternalCalendars', { ...calendar, payload: choice }, 200)
  await call('updateExternalCalendarSettings', { ...calendar, payload: { hide_customer: true } }, 200)
  await call('syncExternalCalendars', calendar, 200)
  const week = { '?from': '2027-01-04T00:00:00Z', '?until': '2027-01-11T00:00:00Z' }
  await call('listExternalEvents', { cookie, params: { ...params, ...week } }, 200)
  await call('listAllExternalEvents', { cookie, params: week }, 200)
  await call('listExternalChanges', calendar, 200)
  const decision = { change_ids: [randomUUID()], decision: 'keep' }
  await call('decideExternalChanges', { ...calendar, payload: decision }, 404)
  // A channel that no calendar uses.
  await call('receiveGoogleCalendarNotification', { headers: { 'x-goog-channel-id': randomUUID() } }, 404)
  await call('receiveMicrosoftCalendarNotification', { params: { '?validationToken': 'hello' } }, 200)

  const appointment = { cookie, params: { ...params, appointment_id: appointmentId } }
  const move = { starts_at: '2027-01-08T09:00:00Z', expected_starts_at: '2027-01-04T09:00:00Z' }
  await call('moveAppointment', { ...appointment, payload: move }, 409)
  await call('getAppointment', appointment, 200)
  await call('getAppointmentHistory', appointment, 200)
  await call('listRefusals', calendar, 200)
  await call('listSettingChanges', calendar, 200)
  const past = {
    '?date': '2027-01-08',
    '?time': '09:00',
    '?moment_date': '2027-01-04',
    '?moment_time': '08:00',
  }
  await call('explainPastTime', { cookie, params: { ...params, ...past } }, 200)
  const time = { ...appointment.params, '?starts_at': '2027-01-08T09:00:00Z' }
  await call('judgeMove', { cookie, params: time }, 200)
  await call('listOwnMoveSlots', { cookie, params: { ...appointment.params, '?date': '2027-01-08' } }, 200)
  // A weekend without appointments.
  const range = { '?from': '2027-02-06', '?to': '2027-02-07' }
  const effect = await call('getManyChangeEffect', { cookie, params: { ...params, ...range } }, 200)
  const days = {
    id: randomUUID(),
    kind: 'cancel',
    from: '2027-02-06',
    to: '2027-02-07',
    message: '',
    digest: effect.json().digest,
    others: [],
  }
  await call('createManyChange', { ...calendar, payload: days }, 409)
  await call('getManyChange', { cookie, params: { ...params, change_id: days.id } }, 404)

  const { url } = (await call('createCalendarFeed', calendar, 200)).json()
  await call('getCalendarFeed', calendar, 200)
  await call('readCalendarFeed', { params: { token: String(url).split('/').at(-1) ?? '' } }, 200)
  await call('revokeCalendarFeed', calendar, 200)
  for (const { id: connection_id } of connections) {
    await call('disconnectExternalCalendar', { cookie, params: { ...params, connection_id } }, 200)
  }
}

/** The owner's plan: buys it, displays it, and changes it at the provider, which sends events. */
async function keepPlan(call: Call, calendar: Required<Pick<Request, 'cookie' | 'params'>>): Promise<void> {
  const { cookie, params } = calendar
  const { url } = (
    await call('createSubscriptionCheckout', { cookie, payload: { tier: 'business' } }, 200)
  ).json()
  const subscriptionId = billing.pay(url)
  const { customerId = null } = billing.subscriptions.get(subscriptionId) ?? {}
  const { headers, payload } = billing.toEvent({ customerId })
  await Promise.all([
    call('refreshSubscription', { cookie }, 200),
    call('receiveStripeBillingEvent', { headers, payload: JSON.parse(payload) }, 200),
  ])
  await call('openCustomerPortal', { cookie, payload: { page: 'home' } }, 200)
  await call('listInvoices', { cookie }, 200)
  await call('previewPlanChange', { cookie, params: { '?tier': 'free' } }, 200)
  await call('chooseOpenCalendars', { cookie, payload: { calendar_ids: [params.id] } }, 204)
}

/** The calendar's address: sets a subdomain, and a domain whose verification fails and which is then removed. */
async function keepDomain(
  call: Call,
  calendar: Required<Pick<Request, 'cookie' | 'params'>>,
  i: number,
): Promise<void> {
  await call('getCalendarDomain', calendar, 200)
  await call('changeCalendarDomain', { ...calendar, payload: { type: 'subdomain' } }, 200)
  const payload = { type: 'custom', custom_domain: `walk-${i}.osei.localhost` }
  await call('changeCalendarDomain', { ...calendar, payload }, 200)
  await call('verifyCalendarDomain', calendar, 200)
  await call('deleteCalendarDomain', calendar, 200)
}

/** The booking page's branding, which the purchased plan includes. */
async function giveLook(call: Call, calendar: Required<Pick<Request, 'cookie' | 'params'>>): Promise<void> {
  await call('getBranding', calendar, 200)
  const logo = (await call('makeLogo', { ...calendar, payload: { file: LOGO } }, 200)).json()
  await call('previewBranding', { ...calendar, payload: { custom_css: 'h1 { color: red }' } }, 200)
  const look = { logo_hash: logo.hash, custom_css: 'h1 { color: red }', welcome_message: 'Hello' }
  await call('updateBranding', { ...calendar, payload: look }, 200)
  await call('clearBranding', calendar, 200)
}

/** The calendar's payments: connects an account, displays the transactions, and disconnects the account. */
async function connectAccount(
  call: Call,
  calendar: Required<Pick<Request, 'cookie' | 'params'>>,
): Promise<void> {
  const { cookie, params } = calendar
  const stripe = { cookie, params: { ...params, provider: 'stripe' } }
  await call('savePaymentSettings', { ...calendar, payload: { payment_required: false } }, 200)
  const { url } = (await call('createConnectUrl', stripe, 200)).json()
  const state = new URL(url).searchParams.get('state')
  const callback = { provider: 'stripe', code: randomUUID(), state }
  await call('completeConnection', { cookie, payload: callback }, 200)
  await call('getPaymentSettings', calendar, 200)
  await call('disconnectProvider', stripe, 204)
  await call('listTransactions', calendar, 200)
  await call('getMoneyOverview', calendar, 200)
}

/** The set-up, after the calendar was deleted: it creates another calendar with a service. */
async function setUpAgain(call: Call, cookie: string): Promise<void> {
  const { setup } = (await call('getSetup', { cookie }, 200)).json()
  expect(setup).toMatchObject({ steps: { you: 'open' }, calendar_id: null })
  const payload = {
    you: { name: 'Dr. Ada Example', profession: 'Therapist', time_zone: 'Europe/London' },
    services: [{ name: 'Session', duration: 50 }],
    steps: { hours: 'done' },
  }
  const { setup: changed } = (await call('changeSetup', { cookie, payload }, 200)).json()
  const calendar = { cookie, params: { id: changed.calendar_id } }
  await call('bookTestAppointment', calendar, 200)
  await call('removeTestAppointment', calendar, 204)
}

/** The owner's own account: changes the email address and the notifications, exports the data, and deletes the account. */
async function leave(meridian: TestMeridian, call: Call, cookie: string): Promise<void> {
  const password = 'horse staple battery'
  await setUpAgain(call, cookie)
  await call('getProfile', { cookie }, 200)
  const moved = `moved-${randomUUID()}@example.com`
  const move = { email: moved, current_password: password }
  await call('updateProfile', { cookie, payload: { bio: 'Back pain.', ...move } }, 200)
  const token = await tokenOf(meridian, moved, '/auth/email-change')
  await call('confirmEmailChange', { payload: { token } }, 200)
  const again = { email: `again-${moved}`, current_password: password }
  await call('updateProfile', { cookie, payload: again }, 200)
  await call('cancelEmailChange', { cookie }, 204)
  await call('updateNotifications', { cookie, payload: { notify_bookings: false } }, 200)
  await call('exportAccount', { cookie, payload: { password } }, 200)
  await call('deleteAccount', { cookie, payload: { password } }, 204)
}

/** Turns two-factor authentication on, logs in with it, turns it off, and changes the password. */
async function secure(call: Call, email: string, cookie: string): Promise<void> {
  const password = 'staple battery horse'
  const credentials = { payload: { email, password } }
  await call('getTwoFactor', { cookie }, 200)
  const setup = (await call('startTwoFactor', { cookie, payload: { password } }, 200)).json()
  // Each code is accepted only once, so the second step uses the next code, which is accepted early.
  const [code, nextCode] = [0, 30_000].map((ms) => totpAt(setup.secret, Date.now() + ms))
  await call('confirmTwoFactor', { cookie, payload: { code } }, 200)
  const pending = toCookieHeader(await call('signIn', credentials, 200))
  await call('completeSignIn', { cookie: pending, payload: { code: nextCode, trust_device: true } }, 200)
  await call('listOperatorActions', { cookie }, 200)
  const [, other] = (await call('listSessions', { cookie }, 200)).json().sessions
  await call('signOutSession', { cookie, params: { session_id: other.id } }, 204)
  const proof = { password, code: setup.backup_codes[0] }
  const renewed = await call('replaceBackupCodes', { cookie, payload: proof }, 200)
  const [backupCode] = renewed.json().backup_codes
  await call('removeTwoFactor', { cookie, payload: { password, code: backupCode } }, 200)
  await call('signIn', credentials, 200)
  expect((await call('signOutOtherSessions', { cookie }, 200)).json()).toEqual({ signed_out: 1 })
  const change = { current_password: password, new_password: 'horse staple battery' }
  await call('changePassword', { cookie, payload: change }, 204)
}

/** Locations: adds two, changes and shares one, removes it and deletes it for good. */
async function keepPlaces(call: Call, calendar: { cookie: string; params: { id: string } }): Promise<void> {
  const { cookie, params } = calendar
  await call('addCalendarLocation', { ...calendar, payload: { name: 'Attic' } }, 201)
  const added = await call('addCalendarLocation', { ...calendar, payload: { name: 'Cellar' } }, 201)
  const { id: calendar_location_id, location_id } = added.json()
  const use = { cookie, params: { ...params, calendar_location_id } }
  const place = { cookie, params: { location_id } }
  await call('setPrimaryLocation', use, 200)
  await call('listCalendarLocations', calendar, 200)
  await call('updateLocation', { ...place, payload: { exclusive: false } }, 200)
  await call('updateLocation', { ...place, payload: { shareable: true } }, 200)
  await call('replaceSharingCode', place, 200)
  await call('listLocations', { cookie }, 200)
  await call('getLocationUsage', place, 200)
  await call('removeCalendarLocation', use, 204)
  await call('addCalendarLocation', { ...calendar, payload: { location_id } }, 201)
  await call('removeCalendarFromLocation', { cookie, params: { location_id, calendar_id: params.id } }, 204)
  await call('deleteLocation', place, 204)
}

/** The calendar's opening hours, special days and slot settings. */
async function openHours(call: Call, calendar: { cookie: string; params: { id: string } }): Promise<void> {
  const saturday = { day_of_week: 6, start_time: '09:00', end_time: '12:00' }
  const availability_id = (await call('addAvailability', { ...calendar, payload: saturday }, 201)).json().id
  await call('copyAvailability', { ...calendar, payload: { from_day: 6, to_days: [0] } }, 200)
  await call('replaceAvailability', { ...calendar, payload: { days: [{ day_of_week: 0, ranges: [] }] } }, 200)
  const range = { ...calendar, params: { ...calendar.params, availability_id } }
  await call('changeAvailability', { ...range, payload: { ...saturday, end_time: '13:00' } }, 200)
  await call('removeAvailability', range, 204)
  const holiday = { first_date: '2028-12-24', last_date: '2029-01-01', hours: [] }
  const special_days_id = (await call('addSpecialDays', { ...calendar, payload: holiday }, 201)).json().id
  const entry = { ...calendar, params: { ...calendar.params, special_days_id } }
  await call('changeSpecialDays', { ...entry, payload: { ...holiday, note: 'Holiday' } }, 200)
  await call('listSpecialDays', calendar, 200)
  await call('removeSpecialDays', entry, 204)
  await call('listHolidayCountries', { cookie: calendar.cookie }, 200)
  await call('changeHolidayRegion', { ...calendar, payload: { country: 'GB', region: 'ENG' } }, 200)
  const { holidays } = (await call('listHolidays', calendar, 200)).json()
  await call('chooseHolidays', { ...calendar, payload: { choice: 'close', dates: [holidays[0].date] } }, 200)
  await call('updateSlotSettings', { ...calendar, payload: { buffer_time_minutes: 30 } }, 200)
  await call('updateSlotSettings', { ...calendar, payload: { buffer_time_minutes: 0 } }, 200)
  await call('getAvailability', calendar, 200)
  await call('previewAvailability', calendar, 200)
}

/** Books for a customer, as an owner does during a phone call. */
async function bookForCustomer(call: Call, calendar: Request, type_id: string): Promise<void> {
  const time = { '?date': '2027-01-05', '?time': '18:00', '?appointment_type_id': type_id }
  await call('judgeAppointmentTime', { ...calendar, params: { ...calendar.params, ...time } }, 200)
  const payload = {
    appointment_type_id: type_id,
    date: '2027-01-05',
    time: '18:00',
    customer: { name: 'Alan Turing', email: 'alan@example.com' },
    outside_hours: true,
  }
  await call('createOwnAppointment', { ...calendar, payload }, 201)
  await bookRegularly(call, calendar, type_id)
  await call('searchCustomers', { ...calendar, params: { ...calendar.params, '?search': 'alan' } }, 200)
  await keepRecords(call, calendar)
}

/** A series: plans, books, reads and ends it. */
async function bookRegularly(call: Call, calendar: Request, type_id: string): Promise<void> {
  const rule = { appointment_type_id: type_id, date: '2027-01-06', time: '18:00', every_weeks: 4 }
  const asked = Object.fromEntries(Object.entries(rule).map(([name, value]) => [`?${name}`, `${value}`]))
  await call('planSeries', { ...calendar, params: { ...calendar.params, ...asked, '?count': '2' } }, 200)
  const payload = {
    ...rule,
    is_standing: false,
    planned: 2,
    dates: [1, 2].map((number) => ({ number, outside_hours: true })),
    customer: { name: 'Regular Customer' },
  }
  const { series_id } = (await call('createSeries', { ...calendar, payload }, 201)).json()
  const series = { ...calendar, params: { ...calendar.params, series_id } }
  await call('getSeries', series, 200)
  await call('endSeries', { ...series, payload: { cancel_from: 1 } }, 200)
}

/** Customer records: lists, reads, changes, exports, merges and erases them, as an owner does. */
async function keepRecords(call: Call, calendar: Request): Promise<void> {
  const { customers } = (await call('listCustomers', calendar, 200)).json()
  await call('listAllCustomers', { cookie: calendar.cookie ?? '' }, 200)
  const idOf = (name: string) =>
    customers.find((customer: { name: string; id: string }) => customer.name === name)?.id
  const of = { ...calendar, params: { ...calendar.params, customer_id: idOf('Alan Turing') } }
  await call('getCustomer', of, 200)
  await call(
    'updateCustomer',
    { ...of, payload: { notes: 'Comes with a dog.', email: 'a.turing@example.com' } },
    200,
  )
  await call('exportCustomer', of, 200)
  await call('mergeCustomers', { ...of, payload: { other_id: randomUUID() } }, 404)
  await call('eraseCustomer', of, 409)
}

/**
 * Customers look at the calendar, book three times at once, and cancel. Returns the id of the appointment whose cancellation is
 * requested.
 */
async function bookAndCancel(
  meridian: TestMeridian,
  call: Call,
  { id, slug, type_id }: { id: string; slug: string; type_id: string },
): Promise<string> {
  const page = { params: { slug } }
  await call('getPublicCalendarBySlug', page, 200)
  await call('getPublicPaymentProviders', page, 200)
  await call('getPublicBranding', page, 200)
  await call('getPublicAppointmentTypes', page, 200)
  const date = { slug, '?date': '2027-01-04', '?appointment_type_id': type_id }
  await call('getPublicAvailableTimeSlotsWithGoogle', { params: date }, 200)
  const month = { slug, '?from': '2027-01-01', '?to': '2027-01-31' }
  await call('listPublicAvailableDays', { params: month }, 200)
  await call('listFirstAvailableTimes', page, 200)
  await call('findCalendarOfHost', { params: { hostname: 'nobody.example' } }, 404)

  const times = ['2027-01-04T09:00:00Z', '2027-01-04T10:00:00Z', '2027-01-04T11:00:00Z']
  // A separate address for each person: while one person has unsubscribed, no emails are sent to their address.
  const customer = { name: 'Grace Hopper', email: `grace-${slug}@example.com` }
  const bookings = await Promise.all(
    times.map((starts_at) => {
      const payload = makeBookingBody({ starts_at, appointment_type_id: type_id, customer })
      return call('createAppointment', { ...page, payload }, 201)
    }),
  )
  const appointment = { params: { id: bookings[0]?.json().id } }
  await call('getPublicAppointmentDetails', appointment, 200)
  await call('requestCancellation', appointment, 200)
  await answerEmails(meridian, call, bookings[0]?.json().id)
  await payForTwo(meridian, call, { id, slug })
  return bookings[0]?.json().id
}

/** The owner copies the calendar, turns on the copy's bookings, and deletes it. */
async function copyCalendar(call: Call, calendar: { cookie: string; params: Params }): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() }
  const copied = await call('duplicateCalendar', { ...calendar, headers, payload: { name: 'Copy' } }, 201)
  const copy = { ...calendar, params: { id: copied.json().id } }
  await call('updateCalendar', { ...copy, payload: { takes_bookings: true } }, 200)
  const stripe = { ...copy, params: { ...copy.params, provider: 'stripe' } }
  // The original was disconnected before.
  const payload = { calendar_id: calendar.params.id }
  await call('connectAccountOfCalendar', { ...stripe, payload }, 409)
  await call('deleteCalendar', copy, 204)
}

/** A customer confirms that they read an email, and then unsubscribes. */
async function answerEmails(meridian: TestMeridian, call: Call, appointmentId: string): Promise<void> {
  const link = /#email=([\w-]+)/
  const mail = await meridian.waitForMail(({ text }) => text.includes(appointmentId) && link.test(text))
  const payload = { link: link.exec(mail.text)?.[1] }
  await call('answerEmail', { payload }, 204)
  await call('stopEmails', { payload }, 204)
  await call('answerEmail', { payload }, 204)
}

/** The calendar requires a confirmation code, and holds the time until the customer has entered it. */
async function bookWithCode(
  meridian: TestMeridian,
  call: Call,
  { calendar, slug, type_id }: { calendar: Request; slug: string; type_id: string },
): Promise<void> {
  await call('updateCalendar', { ...calendar, payload: { email_confirmation_required: true } }, 200)
  const customer = { name: 'Katherine Johnson', email: `katherine-${slug}@example.com` }
  const starts_at = '2027-01-07T15:00:00Z'
  const payload = makeBookingBody({ starts_at, appointment_type_id: type_id, customer })
  const { id } = (await call('createAppointment', { params: { slug }, payload }, 201)).json()
  await call('sendBookingCodeAgain', { params: { id } }, 204)
  const mail = await meridian.waitForMail(
    ({ subject, to }) => to.address === customer.email && / is your code /.test(subject),
  )
  await call('confirmBookingEmail', { params: { id }, payload: { code: mail.subject.slice(0, 6) } }, 200)
  await call('updateCalendar', { ...calendar, payload: { email_confirmation_required: false } }, 200)
}

/**
 * A customer looks at their own page, changes their data and exports it. Future appointments have to be cancelled before the
 * customer is erased.
 */
async function manageOwn(
  meridian: TestMeridian,
  call: Call,
  { slug, type_id }: { slug: string; type_id: string },
): Promise<void> {
  const customer = { name: 'Mary Jackson', email: `mary-${slug}@example.com` }
  const starts_at = '2027-01-08T15:00:00Z'
  const asked = {
    '?appointment_type_id': type_id,
    '?starts_at': starts_at,
    '?every_weeks': '1',
    '?count': '2',
  }
  await call('planPublicSeries', { params: { slug, ...asked } }, 200)
  const series = { every_weeks: 1, dates: [{ number: 2, starts_at: '2027-01-15T15:00:00Z' }] }
  const payload = makeBookingBody({ starts_at, series, appointment_type_id: type_id, customer })
  const token = (await call('createAppointment', { params: { slug }, payload }, 201)).json().manage_token
  const page = { params: { token } }
  await call('getManagedAppointment', page, 200)
  await call('changeManagedDetails', { ...page, payload: { phone: '+44 20 7946 0958' } }, 200)
  await call('getManagedCalendarFile', page, 200)
  await call('getMoveTerms', page, 200)
  await call('listMoveSlots', { params: { token, '?date': '2027-01-08' } }, 200)
  await call('listMoveDays', { params: { token, '?from': '2027-01-08', '?to': '2027-01-09' } }, 200)
  const moved = { starts_at: '2027-01-08T15:00:00Z', expected_starts_at: starts_at }
  await call('moveManagedAppointment', { ...page, payload: moved }, 200)
  await call('sendCustomerCode', page, 204)
  const mail = await meridian.waitForMail(
    ({ subject, to }) =>
      to.address === customer.email && / is your code for your appointments /.test(subject),
  )
  const code = mail.subject.slice(0, 6)
  const confirmed = await call('beginCustomerSession', { ...page, payload: { code } }, 204)
  const own = { ...page, cookie: toCookieHeader(confirmed) }
  await call('listManagedAppointments', own, 200)
  await call('exportOwnRecord', own, 200)
  await call('eraseOwnRecord', own, 409)
  await call('endCustomerSession', own, 204)
  const later = { number: 2, way: 'by_request', refund_amount: null }
  await call('cancelManagedDates', { ...page, payload: { dates: [later] } }, 200)
  await call(
    'cancelManagedAppointment',
    { ...page, payload: { way: 'by_request', refund_amount: null } },
    200,
  )
}

/** One customer pays at the provider, and another returns without having paid. */
async function payForTwo(
  meridian: TestMeridian,
  call: Call,
  { id, slug }: { id: string; slug: string },
): Promise<void> {
  await connectStripe(meridian, id)
  const appointment_type_id = await addAppointmentType(meridian, id, { price_cents: 4_000 })
  const begin = async (starts_at: string): Promise<string> => {
    const payload = { ...makeBookingBody({ starts_at, appointment_type_id }), provider: 'stripe' }
    return (await call('createCheckout', { params: { slug }, payload }, 201)).json().appointment_id
  }
  const [paid, unpaid] = [await begin('2027-01-05T09:00:00Z'), await begin('2027-01-05T10:00:00Z')]
  const checkoutId = [...providers.stripe.checkouts].find(
    ([, { request }]) => request.appointmentId === paid,
  )?.[0]
  providers.stripe.pay(checkoutId ?? '')
  const event = { id: randomUUID(), type: 'any', about: { kind: 'checkout', checkoutId } }
  await call('receiveStripeEvent', { headers: { 'x-signed': 'yes' }, payload: event }, 200)
  // The calendar has no PayPal app, so no PayPal event for it can be signed.
  await call('receivePaypalEvent', { params: { id }, payload: event }, 400)
  expect((await call('settlePayment', { params: { id: paid } }, 200)).json().payment).toBe('paid')
  await call('deletePendingAppointment', { params: { id: unpaid } }, 204)
}

/** Registers, confirms the address, resets the password, and logs in with the new one. */
async function register(meridian: TestMeridian, call: Call, email: string): Promise<string> {
  const password = 'correct horse battery'
  await call('signUp', { payload: { full_name: 'Ada Lovelace', email, password } }, 200)
  const replaced = await tokenOf(meridian, email, '/auth/callback')
  // Registers again: the later registration replaces the earlier one, whose link becomes invalid.
  await call('signUp', { payload: { full_name: 'Ada Lovelace', email, password } }, 200)
  const confirmation = await tokenOf(meridian, email, '/auth/callback', replaced)
  await call('confirmEmailAddress', { payload: { token: confirmation } }, 200)
  const confirmed = toCookieHeader(await call('signIn', { payload: { email, password } }, 200))
  expect((await call('getSession', { cookie: confirmed }, 200)).json().user.email).toBe(email)
  await call('signOut', { cookie: confirmed }, 200)

  await call('sendContactMessage', { payload: { name: 'Ada', email, message: 'Hello.' } }, 204)
  await call('requestPasswordReset', { payload: { email } }, 200)
  const reset = await tokenOf(meridian, email, '/reset-password')
  const changed = 'staple battery horse'
  await call('resetPassword', { payload: { token: reset, password: changed } }, 200)
  return toCookieHeader(await call('signIn', { payload: { email, password: changed } }, 200))
}

/** Finds the token in the link to `path` in an email to this address, other than the token `before`. */
async function tokenOf(meridian: TestMeridian, email: string, path: string, before = ''): Promise<string> {
  const link = new RegExp(`${path}\\?token=(\\S+)`)
  const tokenIn = (text: string) => decodeURIComponent(link.exec(text)?.[1] ?? '')
  const mail = await meridian.waitForMail(
    ({ to, text }) => to.address === email && link.test(text) && tokenIn(text) !== before,
  )
  return tokenIn(mail.text)
}

/** Maps the id of every operation in the OpenAPI document to its method and path. */
function listOperations(meridian: TestMeridian): Map<string, { method: Method; path: string }> {
  const found = new Map<string, { method: Method; path: string }>()
  for (const [path, item] of Object.entries(meridian.app.swagger().paths ?? {})) {
    for (const [method, operation] of Object.entries(item ?? {})) {
      // Our routes generate the document, so a path has only methods with their operations.
      const { operationId } = operation as { operationId: string }
      found.set(operationId, { method: method.toUpperCase() as Method, path })
    }
  }
  return found
}

function toUrl(path: string, params: Params): string {
  const query = new URLSearchParams()
  let url = path
  for (const [name, value] of Object.entries(params)) {
    if (name.startsWith('?')) query.set(name.slice(1), value)
    else url = url.replace(`{${name}}`, encodeURIComponent(value))
  }
  return query.size === 0 ? url : `${url}?${query}`
}
