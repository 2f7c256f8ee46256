// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Setup } from '#contract/accounts/setup.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { browserHourCycle } from '#web/kit/browser-hour-cycle.ts'
import { CALENDAR_ID, makeAppointmentType, makeOwner, NEW_SLOT_SETTINGS } from '#web/testing/make-records.ts'
import {
  CALENDAR_REQUEST,
  LOGGED_IN_RESPONSE,
  LOGGED_OUT_RESPONSE,
  logIn,
  SESSION_REQUEST,
} from '#web/testing/server-answers.ts'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { renderApp } from './testing/render-app.tsx'

const GET = 'GET /api/setup'
const CHANGE = 'PATCH /api/setup'
const TEST_PATH = `${CALENDAR_REQUEST.replace('GET ', '')}/test-appointment`
const TYPES = `${CALENDAR_REQUEST}/appointment-types`
const OPEN: Setup['steps'] = { you: 'open', hours: 'open', services: 'open', external_calendar: 'open' }

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

describe('the first step', () => {
  const owner = makeOwner({ full_name: 'Ada Example', first_name: 'Ada', last_name: 'Example' })
  const NEW_OWNER = { ...LOGGED_IN_RESPONSE, [SESSION_REQUEST]: { user: owner } }

  test('never takes a title for a first name, and sends the name as it is typed', async () => {
    const api = stubSetup({ calendar_id: null }, NEW_OWNER)
    const { user, router } = renderApp('/setup')
    const name = await screen.findByLabelText(/^Your name/)
    expect(name).toHaveProperty('value', 'Ada Example')
    await user.clear(name)
    await user.type(name, 'Dr. Ada Example')
    expect(screen.getByText('Customers see “Dr. Ada Example”. We call you Ada.')).toBeDefined()
    expect(screen.getByText('AE')).toBeDefined()
    await user.type(screen.getByRole('combobox', { name: 'Profession' }), 'Psychotherapist')
    api.answer(CHANGE, { setup: makeSetup({ steps: { ...OPEN, you: 'done' } }) })
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ step: 'hours' }))
    expect(api.to(CHANGE).map(({ body }) => body)).toEqual([
      {
        you: {
          name: 'Dr. Ada Example',
          profession: 'Psychotherapist',
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          hour_cycle: browserHourCycle(),
        },
      },
    ])
  })

  test('can be skipped, which creates the calendar with what is known', async () => {
    const api = stubSetup({ calendar_id: null }, NEW_OWNER)
    const skipped = { setup: makeSetup({ steps: { ...OPEN, you: 'skipped' } }) }
    const held = heldResponse(skipped)
    api.answer(CHANGE, held.answer)
    const { user } = renderApp('/setup?step=services')
    const skip = await screen.findByRole('button', { name: 'Skip for now' })
    await user.click(skip)
    // Neither button sends a second change meanwhile.
    await user.click(skip)
    await user.click(screen.getByRole('button', { name: /^Continue|^Saving/ }))
    api.answer(GET, skipped)
    held.release()
    await waitFor(() => expect(skip.isConnected).toBe(false))
    await waitFor(() => expect(api.to(CHANGE)).toHaveLength(1))
    expect(api.to(CHANGE)[0]?.body).toMatchObject({
      you: { name: 'Ada Example', profession: '' },
      steps: { you: 'skipped' },
    })
  })

  test('sends only what was edited once there is a calendar', async () => {
    const api = stubSetup({ steps: { ...OPEN, you: 'done' } }, NEW_OWNER)
    api.answer(CHANGE, { setup: makeSetup({ steps: { ...OPEN, you: 'done' } }) })
    const { user } = renderApp('/setup?step=you')
    const profession = await screen.findByRole('combobox', { name: 'Profession' })
    await user.clear(profession)
    await user.type(profession, 'Lawyer')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(api.to(CHANGE)).toHaveLength(1))
    expect(api.to(CHANGE)[0]?.body).toEqual({ you: { profession: 'Lawyer' }, steps: { you: 'done' } })
  })

  test('shows why the calendar was not created, and keeps what was typed', async () => {
    const api = stubSetup({ calendar_id: null }, NEW_OWNER)
    api.answer(CHANGE, errorResponse('calendar.limit_reached'))
    const { user } = renderApp('/setup')
    await user.type(await screen.findByRole('combobox', { name: 'Profession' }), 'Coach')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText(PROBLEMS['calendar.limit_reached'].title)).toBeDefined()
    expect(screen.getByRole('combobox', { name: 'Profession' })).toHaveProperty('value', 'Coach')
  })
})

describe('the services', () => {
  const steps = { ...OPEN, you: 'done', hours: 'done' } as const
  const none = { appointment_types: [], stripe_connected: false, paypal_connected: false }

  test('are suggested for the profession, changed, and sent at once', async () => {
    const api = stubSetup({ steps }, { [TYPES]: none })
    api.answer(CHANGE, { setup: makeSetup({ steps: { ...steps, services: 'done' } }) })
    const { user, router } = renderApp('/setup')
    const names = await screen.findAllByLabelText('Service')
    expect(names.map((field) => (field instanceof HTMLInputElement ? field.value : ''))).toEqual([
      'First consultation',
      'Session',
      'Couple session',
    ])
    const settings = screen.getByRole('link', { name: 'Payment Settings' })
    expect(settings.getAttribute('href')).toBe(`/calendar/${CALENDAR_ID}/settings?tab=payments`)
    expect(settings.parentElement?.textContent).toMatch(
      /^Connect Stripe or PayPal in Payment Settings to set prices\. Without a price/,
    )
    expect(screen.queryByLabelText('Price (€)')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Remove service 3' }))
    const [minutes] = screen.getAllByLabelText('Minutes')
    if (minutes === undefined) throw new Error('no duration')
    await user.clear(minutes)
    await user.type(minutes, '80')
    const [note] = screen.getAllByLabelText('Fee note')
    if (note === undefined) throw new Error('no fee note')
    await user.type(note, '€90, paid at the appointment')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ step: 'external_calendar' }))
    expect(api.to(CHANGE).map(({ body }) => body)).toEqual([
      {
        services: [
          {
            name: 'First consultation',
            duration: 80,
            price: null,
            fee_note: '€90, paid at the appointment',
          },
          { name: 'Session', duration: 50, price: null, fee_note: null },
        ],
      },
    ])
  })

  test('have prices where a provider is connected, and show what is wrong at the field', async () => {
    const api = stubSetup({ steps }, { [TYPES]: { ...none, stripe_connected: true } })
    const { user } = renderApp('/setup')
    const [price] = await screen.findAllByLabelText('Price (€)')
    const [name] = screen.getAllByLabelText('Service')
    expect(screen.queryByLabelText('Fee note')).toBeNull()
    if (price === undefined || name === undefined) throw new Error('no fields')
    await user.type(price, '1.234')
    await user.clear(name)
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText(PROBLEMS['appointment_type.name_required'].title)).toBeDefined()
    expect(screen.getByText(/Please enter the amount as 1234.50/)).toBeDefined()
    expect(api.to(CHANGE)).toEqual([])
  })

  test('that exist already are listed, and are not created again', async () => {
    const api = stubSetup({ steps })
    api.answer(CHANGE, { setup: makeSetup({ steps: { ...steps, services: 'done' } }) })
    const { user } = renderApp('/setup')
    const link = await screen.findByRole('link', { name: 'Change them in the settings' })
    expect(link.getAttribute('href')).toBe(`/calendar/${CALENDAR_ID}/settings?tab=types`)
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(api.to(CHANGE)).toHaveLength(1))
    expect(api.to(CHANGE)[0]?.body).toEqual({ steps: { services: 'done' } })
  })
})

test('the set-up goes on where the owner left it, and leads back to a step that was skipped', async () => {
  stubSetup({ steps: { ...OPEN, you: 'done', hours: 'skipped', services: 'done' } })
  const { user, router } = renderApp('/setup')
  expect(await screen.findByRole('heading', { level: 2, name: 'Your own calendar' })).toBeDefined()
  const steps = screen.getByRole('navigation', { name: 'Set-up' })
  await user.click(within(steps).getByRole('link', { name: /Hours/ }))
  await waitFor(() => expect(router.state.location.search).toEqual({ step: 'hours' }))
  const heading = await screen.findByRole('heading', { level: 2, name: 'Hours' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
})

test('Back leads through the steps that the owner has left, also to the first one', async () => {
  const owner = makeOwner({ full_name: 'Ada Example', first_name: 'Ada', last_name: 'Example' })
  const api = stubSetup({ calendar_id: null }, { ...LOGGED_IN_RESPONSE, [SESSION_REQUEST]: { user: owner } })
  const answerWith = (steps: Partial<Setup['steps']>) => {
    const answer = { setup: makeSetup({ steps: { ...OPEN, ...steps } }) }
    for (const request of [GET, CHANGE]) api.answer(request, answer)
  }
  const { user, router } = renderApp('/setup')
  await screen.findByLabelText(/^Your name/)
  answerWith({ you: 'done' })
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await findStep('Hours')
  answerWith({ you: 'done', hours: 'done' })
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  await findStep('Services')
  router.history.back()
  await findStep('Hours')
  router.history.back()
  await findStep('You')
  expect(await screen.findByLabelText(/^Your name/)).toHaveProperty('value', 'Ada Example')
  router.history.forward()
  await findStep('Hours')
})

describe('in two tabs', () => {
  const steps = { ...OPEN, you: 'done', hours: 'done' } as const
  const noTypes = {
    [TYPES]: { appointment_types: [], stripe_connected: false, paypal_connected: false },
  }

  test('a step that another tab completes stays in sight with what is typed in it', async () => {
    const api = stubSetup({ steps }, { ...LOGGED_IN_RESPONSE, ...noTypes })
    const { user } = renderApp('/setup')
    const [name] = await screen.findAllByLabelText('Service')
    if (name === undefined) throw new Error('no service')
    await user.clear(name)
    await user.type(name, 'Long talk')
    api.answer(GET, { setup: makeSetup({ steps: { ...steps, services: 'done' } }) })
    comeBackLater()
    await waitFor(() => expect(api.to(GET)).toHaveLength(2))
    expect(await screen.findByRole('link', { name: 'Services , done' })).toBeDefined()
    expect(screen.getByRole('heading', { level: 2, name: 'Services' })).toBeDefined()
    expect(screen.getAllByLabelText('Service')[0]).toHaveProperty('value', 'Long talk')
  })

  test('services that another tab does not have are refused, and stay in the form', async () => {
    const api = stubSetup({ steps }, { ...LOGGED_IN_RESPONSE, ...noTypes })
    const { user } = renderApp('/setup')
    const [name] = await screen.findAllByLabelText('Service')
    if (name === undefined) throw new Error('no service')
    await user.clear(name)
    await user.type(name, 'Long talk')
    api.answer(TYPES, { ...noTypes[TYPES], appointment_types: [makeAppointmentType()] })
    api.answer(CHANGE, errorResponse('setup.services_saved'))
    comeBackLater()
    await waitFor(() => expect(api.to(TYPES)).toHaveLength(2))
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText(PROBLEMS['setup.services_saved'].title)).toBeDefined()
    expect(screen.getAllByLabelText('Service')[0]).toHaveProperty('value', 'Long talk')
  })

  test('a first step that is typed in stays when another tab creates the calendar, and sends only edits', async () => {
    const api = stubSetup({ calendar_id: null })
    const { user, router } = renderApp('/setup')
    const name = await screen.findByLabelText(/^Your name/)
    await user.clear(name)
    await user.type(name, 'Dr. Ada Example')
    api.answer(GET, { setup: makeSetup({ steps: { ...OPEN, you: 'done' } }) })
    api.answer(CHANGE, { setup: makeSetup({ steps: { ...OPEN, you: 'done' } }) })
    comeBackLater()
    await waitFor(() => expect(router.state.location.search).toEqual({ step: 'you' }))
    expect(screen.getByLabelText(/^Your name/)).toHaveProperty('value', 'Dr. Ada Example')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await findStep('Hours')
    expect(api.to(CHANGE)[0]?.body).toEqual({ you: { name: 'Dr. Ada Example' }, steps: { you: 'done' } })
  })

  test('a first step that another tab has done goes on with its calendar', async () => {
    const api = stubSetup({ calendar_id: null })
    renderApp('/setup')
    await findStep('You')
    api.answer(GET, { setup: makeSetup({ steps: { ...OPEN, you: 'done' } }) })
    comeBackLater()
    await findStep('Hours')
  })
})

describe('back from the consent at a provider', () => {
  const steps = { you: 'done', hours: 'done', services: 'done', external_calendar: 'open' } as const
  const RESULTS = [
    ['denied', 'You didn’t allow access, so nothing was connected.'],
    ['invalid', /^Connecting took too long, or was started in another browser/],
    ['failed', 'Failed to connect to your calendar. Please try again.'],
  ] as const

  test.each(RESULTS)(
    'that was %s, the set-up says so once and stays at its step',
    async (result, sentence) => {
      stubSetup({ steps })
      const { router } = renderApp(`/setup?step=external_calendar&calendar_failed=${result}`)
      expect(await screen.findAllByText(sentence)).toHaveLength(1)
      await findStep('Your own calendar')
      await waitFor(() => expect(router.state.location.href).toBe('/setup?step=external_calendar'))
      expect(screen.getByRole('button', { name: 'Skip for now' })).toBeDefined()
    },
  )

  test('after the session has expired, the login leads to the step and to what happened', async () => {
    const api = stubApi(LOGGED_OUT_RESPONSE)
    const { user, router } = renderApp('/setup?step=external_calendar&calendar_failed=invalid')
    await logIn(user, api, { ...LOGGED_IN_RESPONSE, [GET]: { setup: makeSetup({ steps }) } })
    await findStep('Your own calendar')
    expect(await screen.findByText(RESULTS[1][1])).toBeDefined()
    await waitFor(() => expect(router.state.location.href).toBe('/setup?step=external_calendar'))
  })
})

test('it ends with the link of the booking page', async () => {
  stubSetup({ steps: { you: 'done', hours: 'done', services: 'done', external_calendar: 'skipped' } })
  renderApp('/setup')
  const link = await screen.findByRole('link', { name: 'https://meridian.example/book/dr-grey' })
  expect(link.getAttribute('target')).toBe('_blank')
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Add to website' })).toBeDefined()
})

test('an account without a set-up is told so', async () => {
  stubApi(LOGGED_IN_RESPONSE)
  renderApp('/setup')
  expect(await screen.findByText('Your account is set up.')).toBeDefined()
})

describe('the test appointment', () => {
  const DONE = { you: 'done', hours: 'done', services: 'done', external_calendar: 'skipped' } as const
  const TEST = {
    id: CALENDAR_ID,
    starts_at: '2027-01-04T09:00:00.000Z',
    time_zone: 'Europe/London',
    hour_cycle: 'h12',
    email: 'ada@example.com',
  } as const

  test.each(['/setup?step=link', '/dashboard'])(
    'is booked and removed by one press each on %s',
    async (path) => {
      const api = stubSetup({ steps: DONE })
      api.answer(`POST ${TEST_PATH}`, TEST)
      api.answer(`DELETE ${TEST_PATH}`, undefined)
      const { user } = renderApp(path)
      const book = await screen.findByRole('button', { name: 'Book a test appointment with yourself' })
      api.answer(GET, { setup: makeSetup({ steps: DONE, test_appointment: TEST }) })
      await user.click(book)
      expect(
        await screen.findByText(
          'Your test appointment is on Monday, January 4 at 9:00 AM. We’re emailing ada@example.com.',
        ),
      ).toBeDefined()
      const remove = screen.getByRole('button', { name: 'Remove the test appointment' })
      expect(document.activeElement).toBe(remove)
      api.answer(GET, { setup: makeSetup({ steps: DONE }) })
      await user.click(remove)
      expect(
        await screen.findByRole('button', { name: 'Book a test appointment with yourself' }),
      ).toBeDefined()
      expect(api.to(`POST ${TEST_PATH}`)).toHaveLength(1)
      expect(api.to(`DELETE ${TEST_PATH}`)).toHaveLength(1)
    },
  )

  test('a refusal is said, and the button stays', async () => {
    const api = stubSetup({ steps: DONE })
    api.answer(`POST ${TEST_PATH}`, errorResponse('test_appointment.no_free_time'))
    const { user } = renderApp('/setup?step=link')
    await user.click(await screen.findByRole('button', { name: 'Book a test appointment with yourself' }))
    expect(await screen.findByText(PROBLEMS['test_appointment.no_free_time'].title)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Book a test appointment with yourself' })).toBeDefined()
  })
})

describe('the checklist on the dashboard', () => {
  test('says what is left, and goes when the owner hides it', async () => {
    const api = stubSetup({ steps: { ...OPEN, you: 'done' } })
    api.answer(CHANGE, { setup: makeSetup({ is_dismissed: true }) })
    const { user } = renderApp('/dashboard')
    const list = await screen.findByRole('region', { name: 'Set up your booking page' })
    expect(within(list).getByRole('link', { name: 'Say who you are (done)' })).toBeDefined()
    const next = within(list).getByRole('link', { name: 'Continue' })
    expect(next.getAttribute('href')).toBe('/setup?step=hours')
    await user.click(within(list).getByRole('button', { name: 'Hide this list' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Set up your booking page' })).toBeNull())
    expect(api.to(CHANGE).map(({ body }) => body)).toEqual([{ is_dismissed: true }])
  })

  test('leads to the location and the public holidays, which the steps leave out', async () => {
    stubSetup({ has_holidays: true })
    renderApp('/dashboard')
    const list = within(await screen.findByRole('region', { name: 'Set up your booking page' }))
    const settings = `/calendar/${CALENDAR_ID}/settings?tab=`
    const hrefOf = (name: string) => list.getByRole('link', { name }).getAttribute('href')
    expect(hrefOf('Add an address, if customers come to you')).toBe(`${settings}locations`)
    expect(hrefOf('Choose your public holidays (done)')).toBe(`${settings}availability`)
  })

  test('stays when it cannot be hidden, and says why', async () => {
    const api = stubSetup({})
    api.answer(CHANGE, errorResponse('server.unavailable'))
    const { user } = renderApp('/dashboard')
    await user.click(await screen.findByRole('button', { name: 'Hide this list' }))
    expect(await screen.findByText(PROBLEMS['server.unavailable'].title)).toBeDefined()
    expect(screen.getByRole('region', { name: 'Set up your booking page' })).toBeDefined()
  })

  test.each([
    ['after the first booking', { has_booking: true }],
    ['after it was hidden', { is_dismissed: true }],
  ])('is not shown %s', async (_when, over) => {
    const api = stubSetup(over)
    renderApp('/dashboard')
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(api.to(GET)).not.toEqual([]))
    await screen.findByRole('link', { name: 'Manage' })
    expect(screen.queryByRole('link', { name: 'Share your link' })).toBeNull()
  })
})

/** Waits for a step, whose heading gets the focus. */
async function findStep(title: string): Promise<void> {
  const heading = await screen.findByRole('heading', { level: 2, name: title })
  await waitFor(() => expect(document.activeElement).toBe(heading))
}

/** Returns to the window when what it shows is no longer fresh. */
function comeBackLater(): void {
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * 60_000)
  act(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })
}

function makeSetup(over: Partial<Setup> = {}): Setup {
  return {
    steps: OPEN,
    calendar_id: CALENDAR_ID,
    is_dismissed: false,
    has_booking: false,
    has_location: false,
    has_holidays: false,
    test_appointment: null,
    ...over,
  }
}

/** Stubs the API for an owner with this set-up. */
function stubSetup(over: Partial<Setup>, answers: Record<string, unknown> = LOGGED_IN_RESPONSE) {
  return stubApi({
    ...LOGGED_IN_RESPONSE,
    [`${CALENDAR_REQUEST}/availability`]: {
      ...NEW_SLOT_SETTINGS,
      availability: [],
      appointment_types: [],
    },
    ...answers,
    [GET]: { setup: makeSetup(over) },
  })
}
