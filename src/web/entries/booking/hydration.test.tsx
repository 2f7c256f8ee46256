// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react'
import { lazy } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BookingPageData } from '#contract/pages/page-data.ts'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import {
  FakeBookingApi,
  HOLD_RELEASED_RESPONSE,
  makeBookingPageData,
  SAMPLE_APPOINTMENT,
  SAMPLE_CONSULTATION_TYPE,
} from '#tests/support/fake-booking-api.ts'
import { EMPTY_DRAFT } from '#web/areas/appointments/bookings/booking-draft.ts'
import { ErrorPage } from '#web/areas/appointments/bookings/error-page.tsx'
import { savePendingPayment } from '#web/areas/appointments/bookings/pending-payment.ts'
import { BookingApp, type BookingAppProps } from './booking-app.tsx'
import { render } from './render.tsx'

const data = makeBookingPageData()
let root: Root | null = null

beforeEach(() => {
  vi.stubGlobal('fetch', new FakeBookingApi().fetch)
  history.replaceState(null, '', '/book/dr-grey')
  document.body.innerHTML = `<div id="root">${render('/book/dr-grey', data)}</div>`
})
afterEach(() => {
  act(() => root?.unmount())
  cleanup()
  document.body.innerHTML = ''
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('the HTML has whom one books with and every service, and no day, which only the browser knows', () => {
  expect(screen.getByRole('heading', { level: 1, name: 'Maya Grey' })).toBeTruthy()
  expect(screen.getAllByRole('radio')).toHaveLength(data.appointment_types.length)
  expect(screen.queryByRole('grid', { name: /20\d\d$/ })).toBeNull()
})

test('the browser takes the HTML over as it is, and adds the days', () => {
  const heading = screen.getByRole('heading', { level: 1 })
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
  hydrate()
  expect(complaints.mock.calls).toEqual([])
  expect(screen.getByRole('heading', { level: 1 })).toBe(heading)
  expect(screen.getByRole('grid', { name: /20\d\d$/ })).toBeTruthy()
})

test.each([
  { which: 'one type, which is chosen already', types: [SAMPLE_CONSULTATION_TYPE] },
  { which: 'no types', types: [] },
])('so it does with $which', ({ types }) => {
  const plain = makeBookingPageData({}, types)
  document.body.innerHTML = `<div id="root">${render('/book/dr-grey', plain)}</div>`
  expect(document.querySelectorAll('[name="appointment-type"]:checked')).toHaveLength(types.length)
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
  hydrate(plain)
  expect(complaints.mock.calls).toEqual([])
  expect(document.querySelectorAll('[name="appointment-type"]:checked')).toHaveLength(types.length)
})

test('what was chosen and typed before the script was there stays', () => {
  screen.getByRole<HTMLInputElement>('radio', {
    name: new RegExp(SAMPLE_CONSULTATION_TYPE.name),
  }).checked = true
  screen.getByLabelText<HTMLInputElement>(/Full Name/).value = 'Ada Lovelace'
  hydrate()
  // The step of a chosen type closes to one line, which names the type.
  const line = screen.getByRole('button', { name: 'Change appointment type' }).parentElement
  expect(line?.textContent).toContain(SAMPLE_CONSULTATION_TYPE.name)
  expect(screen.getByLabelText<HTMLInputElement>(/Full Name/).value).toBe('Ada Lovelace')
  expect(screen.queryByText(/select an appointment type first/)).toBeNull()
})

test.each([
  { how: 'pressed', hasFocus: true, focused: 'Select a Date & Time' },
  { how: 'put back by the browser', hasFocus: false, focused: undefined },
])(
  'on a phone a type that was $how before the script was there leads on: $hasFocus',
  ({ hasFocus, focused }) => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    const type = screen.getByRole<HTMLInputElement>('radio', {
      name: new RegExp(SAMPLE_CONSULTATION_TYPE.name),
    })
    type.checked = true
    if (hasFocus) type.focus()
    hydrate()
    expect(screen.getByRole('button', { name: 'Change appointment type' })).toBeTruthy()
    expect(document.activeElement?.closest('h2')?.textContent).toBe(focused)
  },
)

test('back from the provider everything typed is there, also where the browser put some of it back by itself', async () => {
  const api = new FakeBookingApi()
  api.overrides.set(`/api/public/appointments/${SAMPLE_APPOINTMENT.id}`, HOLD_RELEASED_RESPONSE)
  vi.stubGlobal('fetch', api.fetch)
  const draft = {
    ...EMPTY_DRAFT,
    typeId: SAMPLE_CONSULTATION_TYPE.id,
    name: 'Ada Lovelace',
    notes: 'My left knee.',
  }
  savePendingPayment(
    { appointment_id: SAMPLE_APPOINTMENT.id, slug: 'dr-grey', timestamp: Date.now() },
    { draft, link: 'link-of-theirs' },
  )
  screen.getByRole<HTMLInputElement>('radio', {
    name: new RegExp(SAMPLE_CONSULTATION_TYPE.name),
  }).checked = true
  screen.getByLabelText<HTMLInputElement>(/Full Name/).value = 'Ada Lovelace'
  hydrate()
  await retryUntilPasses(() =>
    expect(screen.getByLabelText('Additional Notes')).toHaveProperty('value', 'My left knee.'),
  )
})

test.each([
  { where: 'a calendar that does not exist', path: '/book/nobody', heading: 'Calendar Not Found' },
  { where: 'a page that does not exist', path: '/book/a/b', heading: 'Page Not Found' },
])('the HTML of $where stays as it is while the code for it is on its way', async ({ path, heading }) => {
  const nothing = { ...data, calendar: null }
  history.replaceState(null, '', path)
  document.body.innerHTML = `<div id="root">${render(path, nothing)}</div>`
  const title = screen.getByRole('heading', { name: heading })
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
  const download = Promise.withResolvers<{ default: typeof ErrorPage }>()
  hydrate(
    nothing,
    lazy(() => download.promise),
  )
  expect(title.isConnected).toBe(true)
  await act(async () => download.resolve({ default: ErrorPage }))
  expect(screen.getByRole('heading', { level: 1 })).toBe(title)
  expect(complaints.mock.calls).toEqual([])
})

function hydrate(inlined: BookingPageData = data, Failure: BookingAppProps['ErrorPage'] = ErrorPage) {
  const container = document.getElementById('root')
  if (container === null) throw new Error('no #root')
  act(() => {
    root = hydrateRoot(container, <BookingApp inlined={inlined} address={location} ErrorPage={Failure} />)
  })
}
