// @vitest-environment happy-dom

import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  CALENDAR_ID,
  makeAppointment,
  makeCalendar,
  makeConnection,
  makeExternalCalendars,
  makePaymentSettings,
  makeSubscription,
  NEW_SLOT_SETTINGS,
} from '#web/testing/make-records.ts'
import {
  CALENDAR_REQUEST,
  CALENDARS_REQUEST,
  LOGGED_IN_RESPONSE,
  LOGGED_OUT_RESPONSE,
} from '#web/testing/server-answers.ts'
import { findSettingsLink } from '#web/testing/settings-links.ts'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { stubTab } from '#web/testing/stub-tab.ts'
import { renderApp } from './testing/render-app.tsx'

const SETTINGS = `/calendar/${CALENDAR_ID}/settings`
const EXTERNAL = `/api/calendars/${CALENDAR_ID}/external-calendars`

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

describe('the tabs of a calendar', () => {
  const WEEK = `/api/calendars/${CALENDAR_ID}/availability`
  const week = {
    ...NEW_SLOT_SETTINGS,
    availability: [],
    appointment_types: [],
  }

  test('have been asked for before they are chosen, and are there at once', async () => {
    const api = stubApi({
      ...LOGGED_IN_RESPONSE,
      [`GET ${WEEK}`]: week,
      [`GET ${WEEK}/preview`]: { time_zone: 'Europe/London', days: [] },
    })
    renderApp(SETTINGS)
    await waitFor(() => expect(api.to(`GET ${WEEK}/preview`)).toHaveLength(1), { timeout: 10_000 })
    fireEvent.click(await findSettingsLink('Availability'))
    expect(await screen.findByRole('heading', { name: 'What customers see' })).toBeDefined()
    expect(screen.queryByText('Loading availability...')).toBeNull()
    expect(screen.queryByText('Loading the preview...')).toBeNull()
  })

  test('are not asked for beforehand where somebody saves data', async () => {
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection: { saveData: true } }))
    const api = stubApi({ ...LOGGED_IN_RESPONSE, [`GET ${WEEK}`]: week })
    renderApp(SETTINGS)
    expect(await findSettingsLink('Availability')).toBeDefined()
    await new Promise((resolve) => setTimeout(resolve, 800))
    expect(api.to(`GET ${WEEK}`)).toEqual([])
  })
})

const REFRESH = 'POST /api/subscription/refresh'
const PROFESSIONAL = { subscribed: true, subscription_tier: 'Professional', can_manage: true } as const

test('the settings of a paused calendar say so, and lead to the choice', async () => {
  const paused_calendars = [{ id: CALENDAR_ID, name: 'Dr. Grey' }]
  stubApi({ ...LOGGED_IN_RESPONSE, 'GET /api/subscription': makeSubscription({ paused_calendars }) })
  renderApp(SETTINGS)
  expect(await screen.findByText('Paused')).toBeDefined()
  expect(screen.getByText(/so this one takes no new bookings/)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Choose calendars' }).getAttribute('href')).toBe(
    '/profile?tab=subscription',
  )
})

test('a refusal because of the plan shows at once that it is not in the plan, and offers the upgrade', async () => {
  stubTab()
  const limits = { calendars: 1, integrations: ['stripe'], features: [] }
  const api = stubApi({
    ...LOGGED_IN_RESPONSE,
    'GET /api/subscription': makeSubscription({ limits }),
    [`${CALENDAR_REQUEST}/payment-settings`]: makePaymentSettings(),
    [`POST /api/calendars/${CALENDAR_ID}/payment-providers/stripe/connection`]:
      errorResponse('payment.not_in_plan'),
  })
  const { user } = renderApp(`${SETTINGS}?tab=payments`)
  const connect = await screen.findByRole('button', { name: 'Connect Stripe' })
  api.answer('GET /api/subscription', makeSubscription())
  await user.click(connect)
  expect(await screen.findByText('Stripe is not available on the Free plan.')).toBeDefined()
  expect(screen.getAllByRole('link', { name: 'Upgrade Plan' })[0]?.getAttribute('href')).toBe('/pricing')
})

test('the profile asks about the plan of its address, and forgets it with the dialog', async () => {
  const subscription = makeSubscription({ ...PROFESSIONAL, standing: 'active' })
  stubApi({
    ...LOGGED_IN_RESPONSE,
    'GET /api/subscription': subscription,
    'GET /api/subscription/invoices': { invoices: [] },
    'GET /api/subscription/effect': {
      calendar_limit: 1,
      calendars: [],
      inactive: [],
      choice_locked_until: null,
    },
  })
  const { user, router } = renderApp('/profile?tab=subscription&plan=free')
  expect(await screen.findByRole('dialog', { name: 'End the Professional plan?' })).toBeDefined()
  expect(await screen.findByText('You have no calendars yet.')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Keep the Professional plan' }))
  await waitFor(() => expect(router.state.location.href).toBe('/profile?tab=subscription'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('whoever comes back from the portal sees the plan as the provider has it by then', async () => {
  const api = stubApi({
    ...LOGGED_IN_RESPONSE,
    'GET /api/subscription': makeSubscription({ ...PROFESSIONAL, standing: 'active' }),
    [REFRESH]: makeSubscription({ ...PROFESSIONAL, subscription_tier: 'Business', standing: 'active' }),
    'GET /api/subscription/invoices': { invoices: [] },
  })
  const { router } = renderApp('/profile?tab=subscription&from=portal')
  expect(await screen.findByText('Business', { exact: true })).toBeDefined()
  expect(router.state.location.href).toBe('/profile?tab=subscription')
  expect(api.to(REFRESH)).not.toEqual([])
})

test('whoever comes back from the portal sees the stored plan while the provider cannot be asked', async () => {
  stubApi({
    ...LOGGED_IN_RESPONSE,
    'GET /api/subscription': makeSubscription({ ...PROFESSIONAL, standing: 'active' }),
    [REFRESH]: errorResponse('subscription.refresh_failed'),
    'GET /api/subscription/invoices': { invoices: [] },
  })
  const { router } = renderApp('/profile?tab=subscription&from=portal')
  expect(await screen.findByText('Professional', { exact: true })).toBeDefined()
  await waitFor(() => expect(router.state.location.href).toBe('/profile?tab=subscription'))
})

describe('the dashboard', () => {
  test('owners without a subscription are offered more', async () => {
    stubApi(LOGGED_IN_RESPONSE)
    renderApp('/dashboard')
    expect(await screen.findByText('You’re on the Free plan')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Upgrade Plan' }).getAttribute('href')).toBe('/pricing')
  })

  test('owners without a calendar are told so once, and not that nobody is coming', async () => {
    stubApi({ ...LOGGED_IN_RESPONSE, [CALENDARS_REQUEST]: { calendars: [] } })
    renderApp('/dashboard')
    expect(await screen.findByText("You haven't created any calendars yet.")).toBeDefined()
    expect(screen.queryByRole('heading', { name: 'Upcoming appointments' })).toBeNull()
  })

  test('subscribed owners are not', async () => {
    const limits = { calendars: 1, integrations: [], features: [] }
    const subscription = makeSubscription({ subscribed: true, subscription_tier: 'Professional', limits })
    stubApi({ ...LOGGED_IN_RESPONSE, 'GET /api/subscription': subscription })
    const { user } = renderApp('/dashboard')
    await user.click(await screen.findByRole('button', { name: 'Create Calendar' }))
    // The limit is known, so the plan has been loaded.
    await screen.findByText(/^You have reached your calendar limit/)
    expect(screen.queryByText('You’re on the Free plan')).toBeNull()
  })

  test('back from the checkout it says so, asks for the subscription again, and forgets the parameter', async () => {
    const subscription = makeSubscription({ subscribed: true, subscription_tier: 'Professional' })
    const api = stubApi({ ...LOGGED_IN_RESPONSE, [REFRESH]: subscription })
    const { router } = renderApp('/dashboard?subscription=success')
    expect(await screen.findByText('Your subscription is active. Thank you!')).toBeDefined()
    await waitFor(() => expect(router.state.location.href).toBe('/dashboard'))
    expect(api.to(REFRESH)).not.toEqual([])
    // The page shows the refetched plan, not the previous one.
    await waitFor(() => expect(screen.queryByText('You’re on the Free plan')).toBeNull())
  })

  test('a plan that was read before the purchase and arrives after it changes nothing', async () => {
    const held = heldResponse(makeSubscription())
    stubApi({
      ...LOGGED_IN_RESPONSE,
      'GET /api/subscription': held.answer,
      [REFRESH]: makeSubscription({ subscribed: true, subscription_tier: 'Professional' }),
    })
    renderApp('/dashboard?subscription=success')
    expect(await screen.findByText('Your subscription is active. Thank you!')).toBeDefined()
    held.release()
    expect(await screen.findByRole('heading', { name: 'Your calendars' })).toBeDefined()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(screen.queryByText('You’re on the Free plan')).toBeNull()
  })

  test('back from a checkout that the provider does not know of yet, nothing is promised too early', async () => {
    stubApi({ ...LOGGED_IN_RESPONSE, [REFRESH]: errorResponse('subscription.refresh_failed') })
    const { router } = renderApp('/dashboard?subscription=success')
    expect(await screen.findByText(/^Thank you! Your plan will appear here as soon as/)).toBeDefined()
    await waitFor(() => expect(router.state.location.href).toBe('/dashboard'))
  })

  const END = '2026-12-24T12:00:00Z'
  test.each([
    [
      { standing: 'past_due', past_due_since: '2026-11-20T12:00:00Z' },
      'The payment for your Professional plan failed',
      /^The payment was declined on November 20, 2026\./,
      'Update card',
    ],
    [
      { standing: 'unpaid', subscription_end: END },
      'We couldn’t charge you for your Professional plan',
      /^The payment was declined\. You keep the plan until December 24, 2026\./,
      'Subscribe again',
    ],
    [
      { standing: 'ending', subscription_end: new Date(Date.now() + 6 * 86_400_000).toISOString() },
      /^Your Professional plan ends on /,
      /^You won’t be charged again\./,
      'Keep this plan',
    ],
  ] as const)(
    'a plan that needs its owner says so above the calendars: %j',
    async (over, title, text, way) => {
      const subscription = makeSubscription({ ...PROFESSIONAL, ...over })
      stubApi({ ...LOGGED_IN_RESPONSE, 'GET /api/subscription': subscription })
      renderApp('/dashboard')
      const banner = await screen.findByText(title)
      expect(screen.getByText(text)).toBeDefined()
      expect(screen.getByText(way)).toBeDefined()
      const calendars = screen.getByRole('heading', { name: 'Your calendars' })
      expect(banner.compareDocumentPosition(calendars) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
    },
  )

  test('a failed payment leads to the card page of the portal', async () => {
    const { tab } = stubTab()
    const api = stubApi({
      ...LOGGED_IN_RESPONSE,
      'GET /api/subscription': makeSubscription({ ...PROFESSIONAL, standing: 'past_due' }),
      'POST /api/subscription/portal': { url: 'https://pay.example/p/1' },
    })
    const { user } = renderApp('/dashboard')
    await user.click(await screen.findByRole('button', { name: 'Update card' }))
    await waitFor(() => expect(tab.location.replace.mock.calls).toEqual([['https://pay.example/p/1']]))
    expect(api.to('POST /api/subscription/portal').map(({ body }) => body)).toEqual([{ page: 'card' }])
  })

  test('a plan that goes on, or ends only later, says nothing', async () => {
    const later = new Date(Date.now() + 8 * 86_400_000).toISOString()
    for (const over of [{ standing: 'active' }, { standing: 'ending', subscription_end: later }] as const) {
      stubApi({
        ...LOGGED_IN_RESPONSE,
        'GET /api/subscription': makeSubscription({ ...PROFESSIONAL, ...over }),
      })
      renderApp('/dashboard')
      await screen.findByRole('heading', { name: 'Your calendars' })
      expect(screen.queryByText(/Professional plan/)).toBeNull()
      cleanup()
    }
  })

  test('paused calendars are named, marked, and lead to the choice', async () => {
    const paused_calendars = [{ id: CALENDAR_ID, name: 'Dr. Grey' }]
    stubApi({ ...LOGGED_IN_RESPONSE, 'GET /api/subscription': makeSubscription({ paused_calendars }) })
    renderApp('/dashboard')
    expect(await screen.findByText('A calendar is paused')).toBeDefined()
    expect(screen.getByText(/New bookings are off for/).textContent).toContain('Dr. Grey')
    expect(screen.getByRole('link', { name: 'Choose calendars' }).getAttribute('href')).toBe(
      '/profile?tab=subscription',
    )
    const card = await screen.findByRole('article', { name: 'Dr. Grey' })
    expect(within(card).getByText('Paused')).toBeDefined()
  })

  test('a plan that does not come does not hold up the calendars', async () => {
    stubApi({ ...LOGGED_IN_RESPONSE, 'GET /api/subscription': () => new Promise(() => {}) })
    renderApp('/dashboard')
    expect(await screen.findByText('Loading your calendars...')).toBeDefined()
    expect(screen.queryByRole('article', { name: 'Dr. Grey' })).toBeNull()
    expect(await screen.findByRole('article', { name: 'Dr. Grey' }, { timeout: 10_000 })).toBeDefined()
  })

  test('an address that speaks of a payment does not make a subscription of the Free plan', async () => {
    stubApi({ ...LOGGED_IN_RESPONSE, [REFRESH]: makeSubscription() })
    renderApp('/dashboard?subscription=success')
    expect(await screen.findByText(/^Thank you! Your plan will appear here as soon as/)).toBeDefined()
    expect(screen.getByText('You’re on the Free plan')).toBeDefined()
    expect(screen.queryByText(/subscription is active/)).toBeNull()
  })

  test('back from the external calendar it says so and forgets the parameter', async () => {
    stubApi(LOGGED_IN_RESPONSE)
    const { router } = renderApp('/dashboard?google_connected=success')
    expect(await screen.findByText('Connected to Google Calendar')).toBeDefined()
    await waitFor(() => expect(router.state.location.href).toBe('/dashboard'))
  })

  test.each([
    ['calendar_connected=microsoft', 'Connected to Microsoft 365'],
    ['calendar_failed=invalid', /^Connecting took too long, or was started in another browser/],
    ['calendar_failed=anything', 'Failed to connect to your calendar. Please try again.'],
  ])('back with %s it says how it went and forgets the parameter', async (outcome, sentence) => {
    stubApi(LOGGED_IN_RESPONSE)
    const { router } = renderApp(`/dashboard?${outcome}`)
    expect(await screen.findByText(sentence)).toBeDefined()
    await waitFor(() => expect(router.state.location.href).toBe('/dashboard'))
  })

  test('a calendar without an account is connected from its card', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    const authorization = `POST ${EXTERNAL}/google/authorization`
    const limits = { calendars: 1, integrations: ['google_calendar'], features: [] }
    const api = stubApi({
      ...LOGGED_IN_RESPONSE,
      'GET /api/subscription': makeSubscription({ limits }),
      [authorization]: { authorization_url: 'https://google.example' },
    })
    const { user } = renderApp('/dashboard')
    await user.click(await screen.findByRole('button', { name: 'Connect to Google Calendar' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://google.example'))
    expect(api.to(authorization)[0]?.body).toEqual({ access: 'write', returns_to: 'dashboard' })
    leave.mockRestore()
  })

  test('a plan without external calendars is said in the settings, where the button leads', async () => {
    stubApi(LOGGED_IN_RESPONSE)
    const { user } = renderApp('/dashboard')
    await user.click(await screen.findByRole('link', { name: 'Connect to Google Calendar' }))
    expect(await screen.findByText('Google Calendar is not available on the Free plan.')).toBeDefined()
  })

  test('an account that another calendar uses only needs a choice', async () => {
    stubApi({
      ...LOGGED_IN_RESPONSE,
      [`GET ${EXTERNAL}`]: makeExternalCalendars({ connections: [makeConnection()] }),
    })
    renderApp('/dashboard')
    const link = await screen.findByRole('link', { name: 'Connect to Google Calendar' })
    expect(link.getAttribute('href')).toBe(`${SETTINGS}?tab=integrations`)
  })

  test('without Google on this installation there is nothing to connect to', async () => {
    stubApi({
      ...LOGGED_IN_RESPONSE,
      [`GET ${EXTERNAL}`]: makeExternalCalendars({ offered: ['caldav', 'ics'] }),
    })
    renderApp('/dashboard')
    await screen.findByRole('link', { name: 'Manage' })
    await waitFor(() => expect(document.querySelector('.animate-pulse')).toBeNull())
    expect(screen.queryByText('Connect to Google Calendar')).toBeNull()
  })

  test('a connected calendar is synced from its card, and a connection that expired is reconnected from the toast', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    const external = makeExternalCalendars({ connections: [makeConnection()] })
    const api = stubApi({
      ...LOGGED_IN_RESPONSE,
      [CALENDARS_REQUEST]: { calendars: [makeCalendar({ is_connected_to_google: true })] },
      [`GET ${EXTERNAL}`]: external,
      [`POST ${EXTERNAL}/sync`]: { is_running: false, external_calendars: external },
      [`POST ${EXTERNAL}/google/authorization`]: { authorization_url: 'https://google.example' },
    })
    const { user } = renderApp('/dashboard')
    await user.click(await screen.findByRole('button', { name: 'Sync with Google Calendar' }))
    expect(await screen.findByText('Calendar synced with Google Calendar')).toBeDefined()

    api.answer(`POST ${EXTERNAL}/sync`, errorResponse('external_calendar.authorization_expired'))
    api.answer(`GET ${EXTERNAL}`, {
      ...external,
      connections: [makeConnection({ state: 'expired' })],
    })
    await user.click(screen.getByRole('button', { name: 'Sync with Google Calendar' }))
    expect(await screen.findByText('Google Calendar connection expired. Click to reconnect.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Reconnect' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://google.example'))
    leave.mockRestore()
  })

  test('an expired account is said in a banner until it is reconnected', async () => {
    stubApi({
      ...LOGGED_IN_RESPONSE,
      [`GET ${EXTERNAL}`]: makeExternalCalendars({ connections: [makeConnection({ state: 'expired' })] }),
    })
    renderApp('/dashboard')
    expect(await screen.findByText('Google Calendar connection expired')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Reconnect Google Calendar' })).toBeDefined()
  })

  test('an account that cannot be read for long is said in a banner', async () => {
    const connection = makeConnection({
      problem: 'The provider didn’t respond in time.',
      troubled_since: '2026-12-01T01:00:00Z',
    })
    stubApi({
      ...LOGGED_IN_RESPONSE,
      [`GET ${EXTERNAL}`]: makeExternalCalendars({ connections: [connection] }),
    })
    renderApp('/dashboard')
    expect(await screen.findByText('Google Calendar can’t be read')).toBeDefined()
    expect(screen.getByText(/The provider didn’t respond in time\./)).toBeDefined()
    const link = screen.getByRole('link', { name: 'Open the settings' })
    expect(link.getAttribute('href')).toBe(`${SETTINGS}?tab=integrations`)
  })

  test('a click on Manage opens the settings without loading another document', async () => {
    stubApi(LOGGED_IN_RESPONSE)
    const { user, router } = renderApp('/dashboard')
    await user.click(await screen.findByRole('link', { name: 'Manage' }))
    expect(await screen.findByRole('heading', { name: 'Dr. Grey' })).toBeDefined()
    expect(router.state.location.pathname).toBe(SETTINGS)
  })
})

describe('calendar settings', () => {
  test('the short address leads to them', async () => {
    stubApi(LOGGED_IN_RESPONSE)
    const { router } = renderApp(`/calendar/${CALENDAR_ID}`)
    await screen.findByRole('heading', { name: 'Dr. Grey' })
    expect(router.state.location.href).toBe(SETTINGS)
    expect(document.title).toBe('Dr. Grey · Meridian')
  })

  test.each([
    ['', 'General'],
    ['?tab=general', 'General'],
    ['?tab=appointments', 'Appointments'],
    ['?tab=types', 'Appointment Types'],
    ['?tab=reminders', 'Reminders'],
    ['?tab=nonsense', 'General'],
  ])('the address %s shows the tab %s', async (search, label) => {
    stubApi(LOGGED_IN_RESPONSE)
    renderApp(`${SETTINGS}${search}`)
    expect((await findSettingsLink(label)).getAttribute('aria-current')).toBe('page')
    expect(screen.getByRole('region', { name: label })).toBeDefined()
  })

  test.each([
    ['calendar_failed=denied', 'You didn’t allow access, so nothing was connected.'],
    ['calendar_failed=too_many', /^You’ve reached the limit of connected accounts/],
    ['calendar_connected=other_account', /^You signed in to a different account/],
  ])('back at the integrations with %s it says so and forgets the parameter', async (outcome, sentence) => {
    stubApi(LOGGED_IN_RESPONSE)
    const { router } = renderApp(`${SETTINGS}?tab=integrations&${outcome}`)
    expect(await screen.findByText(sentence)).toBeDefined()
    await waitFor(() => expect(router.state.location.href).toBe(`${SETTINGS}?tab=integrations`))
    expect(await screen.findByText('Google Calendar is not available on the Free plan.')).toBeDefined()
  })

  test('the tab is in the address, and the browser’s back button goes back to the one before', async () => {
    stubApi(LOGGED_IN_RESPONSE)
    const { user, router } = renderApp(SETTINGS)
    await user.click(await findSettingsLink('Appointment Types'))
    await screen.findByText('45 min')
    expect(router.state.location.href).toBe(`${SETTINGS}?tab=types`)
    router.history.back()
    expect(await screen.findByText('Danger Zone')).toBeDefined()
  })

  test('what is in sight of the appointments is in the address, and the back button goes back to it', async () => {
    const api = stubApi(LOGGED_IN_RESPONSE)
    const { user, router } = renderApp(`${SETTINGS}?tab=appointments&filter=past&search=ada&page=1&view=list`)
    expect(await screen.findByText('Nothing in the past matches “ada”.')).toBeDefined()
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' }).value).toBe('ada')
    const list = api.to(`${CALENDAR_REQUEST}/appointments`).at(-1)?.search
    expect([list?.get('filter'), list?.get('search')]).toEqual(['past', 'ada'])
    await user.click(screen.getByRole('button', { name: 'Day' }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ view: 'day', filter: 'past' }))
    router.history.back()
    expect(await screen.findByText('Nothing in the past matches “ada”.')).toBeDefined()
  })

  test.each([`${SETTINGS}?tab=appointments`, '/appointments'])(
    'the views have one order at %s',
    async (address) => {
      stubApi(LOGGED_IN_RESPONSE)
      renderApp(address)
      const views = within(await screen.findByRole('group', { name: 'View' })).getAllByRole('button')
      expect(views.map(({ textContent }) => textContent)).toEqual(['Day', 'Week', 'List'])
    },
  )

  test.each([`${SETTINGS}?tab=appointments`, '/appointments?view=list'])(
    'the open appointment is in the address, and the back button and Escape close it: %s',
    async (address) => {
      const appointment = makeAppointment()
      const list = { appointments: [appointment], total: 1, page: 1, page_size: 10 }
      stubApi({ ...LOGGED_IN_RESPONSE, [`${CALENDAR_REQUEST}/appointments`]: list })
      const { user, router } = renderApp(address)
      const row = await screen.findByRole('button', { name: 'Ada Lovelace' })
      for (const close of [() => router.history.back(), () => user.keyboard('{Escape}')]) {
        await user.click(row)
        expect(await screen.findByRole('region', { name: 'Appointment' })).toBeDefined()
        await waitFor(() =>
          expect(router.state.location.search).toMatchObject({ appointment: appointment.id }),
        )
        const before = router.history.length
        await close()
        await waitFor(() => expect(screen.queryByRole('region', { name: 'Appointment' })).toBeNull())
        expect(router.state.location.href).toBe(address)
        expect(router.history.length).toBe(before)
      }
    },
  )

  test('an address with a page of appointments that there is not leads to the last one, once', async () => {
    const empty = { appointments: [], total: 0, page: 7, page_size: 10 }
    const api = stubApi({ ...LOGGED_IN_RESPONSE, [`${CALENDAR_REQUEST}/appointments`]: empty })
    const { router } = renderApp(`${SETTINGS}?tab=appointments&page=7`)
    await waitFor(() => expect(router.state.location.href).toBe(`${SETTINGS}?tab=appointments`))
    expect(await screen.findByText('No appointments found')).toBeDefined()
    expect(api.to(`${CALENDAR_REQUEST}/appointments`).length).toBeLessThan(4)
  })

  test('a calendar that does not exist', async () => {
    stubApi({ ...LOGGED_IN_RESPONSE, [CALENDAR_REQUEST]: errorResponse('calendar.not_found') })
    renderApp(SETTINGS)
    expect(await screen.findAllByText('Calendar not found')).toHaveLength(1)
    expect(screen.getByRole('link', { name: 'Return to Dashboard' }).getAttribute('href')).toBe('/dashboard')
  })

  test('an address that is no id is a calendar that does not exist', async () => {
    stubApi({ ...LOGGED_IN_RESPONSE, 'GET /api/calendars/nonsense': errorResponse('request.invalid') })
    renderApp('/calendar/nonsense/settings')
    expect(await screen.findAllByText('Calendar not found')).toHaveLength(1)
  })

  test('an address that names none', async () => {
    const api = stubApi(LOGGED_IN_RESPONSE)
    renderApp('/calendar/%20/settings')
    expect(await screen.findAllByText('Calendar ID is required')).toHaveLength(1)
    expect(screen.getByRole('link', { name: 'Return to Dashboard' })).toBeDefined()
    expect(api.sent.filter(({ path }) => path.startsWith('/api/calendars/'))).toEqual([])
  })

  test('a calendar of somebody else', async () => {
    stubApi({ ...LOGGED_IN_RESPONSE, [CALENDAR_REQUEST]: errorResponse('calendar.forbidden') })
    const { user } = renderApp(SETTINGS)
    expect(
      await screen.findAllByText("You don't have permission to edit this calendar's availability."),
    ).toHaveLength(1)
    expect(screen.getByText(/You may be logged in with a different account/)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Back to Dashboard' })).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Return to Dashboard' }))
    expect(await screen.findByRole('heading', { name: 'Welcome, Meredith' })).toBeDefined()
  })

  test('a server in trouble is asked once more, then it says so and can be asked again', async () => {
    const api = stubApi({ ...LOGGED_IN_RESPONSE, [CALENDAR_REQUEST]: errorResponse('server.unexpected') })
    const { user } = renderApp(SETTINGS)
    expect(await screen.findAllByText('Error loading calendar', {}, { timeout: 10_000 })).toHaveLength(1)
    expect(screen.getByText(PROBLEMS['server.unexpected'].title)).toBeDefined()
    api.answer(CALENDAR_REQUEST, makeCalendar())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Dr. Grey' })).toBeDefined()
  })

  test('deleted from here, the calendar is gone from the dashboard', async () => {
    const api = stubApi({ ...LOGGED_IN_RESPONSE, [`DELETE /api/calendars/${CALENDAR_ID}`]: undefined })
    const { user, router } = renderApp(SETTINGS)
    await user.click(await screen.findByRole('button', { name: 'Delete Calendar' }))
    api.answer(CALENDARS_REQUEST, { calendars: [] })
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Delete Calendar' }))
    expect(await screen.findByText('Calendar deleted successfully')).toBeDefined()
    expect(await screen.findByText("You haven't created any calendars yet.")).toBeDefined()
    expect(router.state.location.pathname).toBe('/dashboard')
    const paths = api.sent.map(({ method, path }) => `${method} ${path}`)
    // The dashboard sends no request about the deleted calendar.
    expect(paths.slice(paths.indexOf(`DELETE /api/calendars/${CALENDAR_ID}`) + 1)).not.toContain(
      `GET ${EXTERNAL}`,
    )
  })
})

describe('the pages over all calendars', () => {
  const SEVERAL = {
    ...LOGGED_IN_RESPONSE,
    [CALENDARS_REQUEST]: {
      calendars: [
        makeCalendar(),
        makeCalendar({ id: '00000000-0000-4000-8000-0000000000b2', name: 'Evenings', slug: 'evenings' }),
      ],
    },
  }

  test('appointments begin with the week; a search without a view is one of the list', async () => {
    const api = stubApi(SEVERAL)
    const { user, router } = renderApp('/appointments')
    await screen.findByRole('heading', { name: 'All calendars' })
    expect(screen.getByRole('button', { name: 'Week' }).getAttribute('aria-pressed')).toBe('true')
    await waitFor(() => expect(api.to('GET /api/appointments/agenda').at(-1)?.search.get('days')).toBe('7'))
    await user.click(screen.getByRole('button', { name: 'List' }))
    await waitFor(() => expect(router.state.location.href).toBe('/appointments?view=list'))
    await router.navigate({ to: '/appointments', search: { search: 'ada' } })
    await waitFor(() => expect(api.to('GET /api/appointments').at(-1)?.search.get('search')).toBe('ada'))
  })

  test('insights are those of all calendars until one is chosen', async () => {
    const api = stubApi(SEVERAL)
    renderApp('/insights')
    await waitFor(() => expect(api.to('GET /api/insights')).not.toEqual([]))
    expect(api.to('GET /api/insights')[0]?.search.get('time_zone')).toBe(makeCalendar().timezone)
    expect(api.to(`${CALENDAR_REQUEST}/insights`)).toEqual([])
  })

  test('the earlier address of a calendar’s customers leads to the list of all, limited to this calendar', async () => {
    stubApi({ ...SEVERAL, [`${CALENDAR_REQUEST}/customer-list`]: { customers: [], total: 0 } })
    const { router } = renderApp(`/calendar/${CALENDAR_ID}/customers?search=ada&page=2`)
    expect(await screen.findByRole('heading', { level: 1, name: 'Customers' })).toBeDefined()
    expect(router.state.location.pathname).toBe('/customers')
    const { searchParams } = new URL(router.state.location.href, 'http://localhost')
    expect(Object.fromEntries(searchParams)).toEqual({ calendar: CALENDAR_ID, search: 'ada', page: '2' })
  })
})

test('any other path is a page that says so, with the path and a way home', async () => {
  stubApi(LOGGED_OUT_RESPONSE)
  renderApp('/calendar/1/nowhere/at-all')
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeDefined()
  expect(screen.getByText('/calendar/1/nowhere/at-all')).toBeDefined()
  expect(document.title).toBe('Page Not Found · Meridian')
  expect(screen.getByRole('link', { name: 'Go Home' }).getAttribute('href')).toBe('/')
})
