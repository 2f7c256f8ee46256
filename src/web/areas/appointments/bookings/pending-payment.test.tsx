// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import {
  errorResponse,
  FakeBookingApi,
  HOLD_RELEASED_RESPONSE,
  makeBookingPageData,
  SAMPLE_APPOINTMENT,
  SAMPLE_CONSULTATION_TYPE,
} from '#tests/support/fake-booking-api.ts'
import { getToastText, renderBookingPage } from '#tests/support/open-booking-page.tsx'
import { EMPTY_DRAFT } from './booking-draft.ts'
import { deletePendingPayment, savePendingPayment } from './pending-payment.ts'

const HOLD_PATH = `/api/public/appointments/${SAMPLE_APPOINTMENT.id}`
const MINUTE_MS = 60_000
const DRAFT = {
  ...EMPTY_DRAFT,
  typeId: SAMPLE_CONSULTATION_TYPE.id,
  date: '2026-11-24',
  startsAt: '2026-11-24T09:30:00Z',
  name: 'Ada Lovelace',
  notes: 'My left knee.',
}

let api: FakeBookingApi

beforeEach(() => {
  vi.useFakeTimers({
    now: Date.parse('2026-11-20T10:00:00Z'),
    toFake: ['Date', 'setInterval', 'clearInterval'],
  })
  vi.stubEnv('TZ', 'Europe/London')
  history.replaceState(null, '')
  api = new FakeBookingApi()
  api.times = ['2026-11-24T09:00:00Z', '2026-11-24T09:30:00Z']
  api.overrides.set(HOLD_PATH, HOLD_RELEASED_RESPONSE)
  vi.stubGlobal('fetch', api.fetch)
  vi.spyOn(location, 'replace').mockImplementation(() => {})
})
describe('a tab that comes back from the provider', () => {
  test('gives the time back at once and has everything that was typed', async () => {
    leaveToPay()
    open()
    await retryUntilPasses(() =>
      expect(screen.getByLabelText(/Full Name/)).toHaveProperty('value', 'Ada Lovelace'),
    )
    expect(screen.getByLabelText('Additional Notes')).toHaveProperty('value', 'My left knee.')
    await retryUntilPasses(() => screen.getByRole('button', { name: '9:30 AM', pressed: true }))
    expect(api.paths[0]).toBe(HOLD_PATH)
    expect(getToastText()).toBe('You weren’t charged. Everything you entered is still here.')
    expect(memory()).toEqual([null, null])
  })

  test('has everything that was typed also when the time was given back before', async () => {
    leaveToPay()
    deletePendingPayment('hold')
    open()
    await retryUntilPasses(() => expect(getToastText()).toBe('Everything you entered is still here.'))
    expect(screen.getByLabelText(/Full Name/)).toHaveProperty('value', 'Ada Lovelace')
    expect(api.paths).not.toContain(HOLD_PATH)
  })

  test('is led to how its payment stands when that is under way', async () => {
    api.overrides.set(HOLD_PATH, errorResponse('payment.under_way'))
    leaveToPay()
    open()
    await retryUntilPasses(() =>
      expect(location.replace).toHaveBeenCalledWith(
        `/payment-success?appointment_id=${SAMPLE_APPOINTMENT.id}`,
      ),
    )
    expect(memory()).toEqual([null, null])
  })

  test('to another calendar keeps what belongs to the first one', async () => {
    leaveToPay({ slug: 'dr-brown' })
    open()
    await settled()
    expect(screen.getByLabelText(/Full Name/)).toHaveProperty('value', '')
    expect(api.paths).toEqual([])
    expect(memory()).not.toContain(null)
  })
})

describe('a payment that another tab has begun', () => {
  beforeEach(() => {
    leaveToPay()
    sessionStorage.clear()
  })

  test('is left alone for five minutes, then its time is given back', async () => {
    open()
    await settled()
    vi.advanceTimersByTime(4 * MINUTE_MS)
    await settled()
    expect(api.paths).toEqual([])
    vi.advanceTimersByTime(MINUTE_MS)
    await retryUntilPasses(() => expect(api.paths).toEqual([HOLD_PATH]))
    await retryUntilPasses(() => expect(memory()).toEqual([null, null]))
    expect(screen.getByLabelText(/Full Name/)).toHaveProperty('value', '')
  })

  test.each(['payment.under_way', 'appointment.not_found'] as const)(
    'is forgotten when its time is kept or gone (%s)',
    async (code) => {
      api.overrides.set(HOLD_PATH, errorResponse(code))
      vi.setSystemTime(Date.now() + 6 * MINUTE_MS)
      open()
      await retryUntilPasses(() => expect(memory()).toEqual([null, null]))
      expect(location.replace).not.toHaveBeenCalled()
    },
  )

  test('is asked about again when there was no answer', async () => {
    api.overrides.set(HOLD_PATH, 'offline')
    vi.setSystemTime(Date.now() + 6 * MINUTE_MS)
    open()
    await retryUntilPasses(() => expect(api.paths).toEqual([HOLD_PATH]))
    api.overrides.set(HOLD_PATH, HOLD_RELEASED_RESPONSE)
    vi.advanceTimersByTime(MINUTE_MS)
    await retryUntilPasses(() => expect(memory()).toEqual([null, null]))
  })
})

test('what is remembered and cannot be read is nothing', async () => {
  localStorage.setItem('pending-payment', '{')
  sessionStorage.setItem('left-booking-form', '{')
  open()
  await settled()
  expect(api.paths).toEqual([])
  expect(screen.getByLabelText(/Full Name/)).toHaveProperty('value', '')
})

function leaveToPay({ slug = 'dr-grey' } = {}) {
  savePendingPayment(
    { appointment_id: SAMPLE_APPOINTMENT.id, slug, timestamp: Date.now() },
    { draft: DRAFT, link: 'link-of-theirs' },
  )
}

function open() {
  renderBookingPage(api, makeBookingPageData())
}

function memory() {
  return [localStorage.getItem('pending-payment'), sessionStorage.getItem('left-booking-form')]
}

/** Waits until the code has been loaded and pending work has finished. */
async function settled() {
  await import('./payment-part.ts')
  await new Promise((resolve) => setTimeout(resolve, 20))
}
