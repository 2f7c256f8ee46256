// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeAppointment, makeCalendar, makeSubscription, makeUpcoming } from '#web/testing/make-records.ts'
import { CALENDARS_REQUEST, LOGGED_IN_RESPONSE, LOGGED_OUT_RESPONSE } from '#web/testing/server-answers.ts'
import { heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { renderApp } from '../testing/render-app.tsx'

const ENTRIES = ['Today', 'Appointments', 'Customers', 'Dashboard', 'Insights', 'Profile']

beforeEach(() => {
  localStorage.clear()
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

test('the sidebar has the entries in their order, the calendars, and the public site at its foot', async () => {
  stubApi({
    ...LOGGED_IN_RESPONSE,
    [CALENDARS_REQUEST]: { calendars: [makeCalendar(), makeCalendar({ id: OTHER, name: 'Couples' })] },
  })
  renderApp('/dashboard')
  await screen.findByRole('link', { name: 'Couples' })
  expect(namesIn('Main')).toEqual([...ENTRIES, 'Dr. Grey', 'Couples', 'Home', 'Pricing'])
  expect(screen.getByRole('link', { name: 'Dashboard' }).getAttribute('aria-current')).toBe('page')
  expect(within(main()).getByRole('button', { name: /^Theme/ })).toBeDefined()
  expect(within(main()).getByRole('button', { name: 'Sign Out' })).toBeDefined()
  expect(screen.queryByRole('contentinfo')).toBeNull()
})

test('with 30 calendars, their list scrolls by itself, and Sign Out stays below it', async () => {
  const calendars = Array.from({ length: 30 }, (_, index) =>
    makeCalendar({
      id: `00000000-0000-4000-8000-0000000020${String(index + 10)}`,
      name: `Room ${index + 1}`,
    }),
  )
  stubApi({ ...LOGGED_IN_RESPONSE, [CALENDARS_REQUEST]: { calendars } })
  renderApp('/dashboard')
  const sidebar = within(await screen.findByRole('navigation', { name: 'Main' }))
  const list = await sidebar.findByRole('region', { name: 'Calendars' })
  expect(within(list).getAllByRole('link')).toHaveLength(30)
  expect(list.className).toContain('overflow-y-auto')
  expect(list.contains(sidebar.getByRole('button', { name: 'Sign Out' }))).toBe(false)
})

test('who skips to the content of the dashboard stays there while the plan loads', async () => {
  const held = heldResponse(makeSubscription())
  stubApi({ ...LOGGED_IN_RESPONSE, 'GET /api/subscription': held.answer })
  const { user } = renderApp('/dashboard')
  await screen.findByRole('heading', { level: 1 })
  await user.click(await screen.findByRole('button', { name: 'Skip to content' }))
  const content = screen.getByRole('main')
  expect(document.activeElement).toBe(content)
  held.release()
  await within(content).findByRole('button', { name: 'New appointment' })
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('a collapsed sidebar keeps the names of its entries, and the browser remembers it', async () => {
  stubApi(LOGGED_IN_RESPONSE)
  const { user } = renderApp('/dashboard')
  await user.click(await screen.findByRole('button', { name: 'Collapse sidebar' }))
  expect(namesIn('Main')).toEqual([...ENTRIES, 'Home', 'Pricing'])
  expect(localStorage.getItem('sidebar')).toBe('icons')
  await user.click(screen.getByRole('button', { name: 'Expand sidebar' }))
  expect(localStorage.getItem('sidebar')).toBe('full')
})

test('customers who ask to cancel are counted at the appointments', async () => {
  const appointments = [makeAppointment({ status: 'pending_cancellation' })]
  stubApi({
    ...LOGGED_IN_RESPONSE,
    'GET /api/appointments/upcoming': makeUpcoming([], { cancellation_requests: { total: 1, appointments } }),
  })
  renderApp('/profile')
  expect(await screen.findByRole('link', { name: /^Appointments.*1 cancellation request$/ })).toBeDefined()
})

test('a calendar is marked in the sidebar while its settings are shown', async () => {
  localStorage.setItem('sidebar', 'full')
  stubApi(LOGGED_IN_RESPONSE)
  renderApp(`/calendar/${makeCalendar().id}/settings`)
  const sidebar = await screen.findByRole('navigation', { name: 'Main' })
  const calendar = await within(sidebar).findByRole('link', { name: 'Dr. Grey' })
  expect(calendar.getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('link', { name: 'Dashboard' }).getAttribute('aria-current')).toBeNull()
})

test('on a phone, the bar has four entries and More, whose sheet has the rest and closes by Back', async () => {
  stubNarrow()
  stubApi(LOGGED_IN_RESPONSE)
  const { user, router } = renderApp('/dashboard')
  await screen.findByRole('heading', { level: 1 })
  expect(namesIn('Main')).toEqual(ENTRIES.slice(0, 4))
  await user.click(within(main()).getByRole('button', { name: 'More' }))
  await screen.findByRole('dialog', { name: 'More' })
  await waitFor(() => expect(namesIn('More')).toEqual([...ENTRIES, 'Dr. Grey', 'Home', 'Pricing']))
  router.history.back()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.pathname).toBe('/dashboard')
})

test('a second press on Close does not leave the page', async () => {
  stubNarrow()
  stubApi(LOGGED_IN_RESPONSE)
  const { user, router } = renderApp('/today')
  await user.click(await screen.findByRole('link', { name: 'Dashboard' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'))
  await user.click(within(main()).getByRole('button', { name: 'More' }))
  const close = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Close' })
  close.click()
  close.click()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.pathname).toBe('/dashboard')
})

test('More closes when its link leads to the shown page, and when the window becomes wide', async () => {
  const narrow = stubNarrow()
  stubApi(LOGGED_IN_RESPONSE)
  const { user, router } = renderApp('/insights')
  await screen.findByRole('heading', { level: 1 })
  const entries = router.history.length
  const more = within(main()).getByRole('button', { name: 'More' })
  expect(more.getAttribute('aria-current')).toBe('true')
  await user.click(more)
  const sheet = await screen.findByRole('dialog', { name: 'More' })
  await user.click(within(sheet).getByRole('link', { name: 'Insights' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(more)
  await screen.findByRole('dialog', { name: 'More' })
  act(() => narrow.widen())
  await waitFor(() => expect(router.state.location.state.isMoreOpen).toBeUndefined())
  expect(router.state.location.pathname).toBe('/insights')
  // Closing the first sheet removes its entry from the history, so the second sheet adds one again.
  expect(router.history.length).toBe(entries + 1)
})

test('typed text stays with its calendar when the sidebar opens another one', async () => {
  const other = makeCalendar({ id: OTHER, name: 'Couples', slug: 'couples' })
  stubApi({
    ...LOGGED_IN_RESPONSE,
    [CALENDARS_REQUEST]: { calendars: [makeCalendar(), other] },
    [`GET /api/calendars/${OTHER}`]: other,
  })
  localStorage.setItem('sidebar', 'full')
  const { user } = renderApp(`/calendar/${makeCalendar().id}/settings`)
  const open = (name: string) => user.click(within(main()).getByRole('link', { name }))
  await screen.findByLabelText('First name')
  await open('Couples')
  await screen.findByRole('heading', { level: 1, name: 'Couples' })
  await open('Dr. Grey')
  await screen.findByRole('heading', { level: 1, name: 'Dr. Grey' })
  await user.type(screen.getByLabelText('First name'), ' Ann')
  await open('Couples')
  await screen.findByRole('heading', { level: 1, name: 'Couples' })
  expect(screen.getByLabelText('First name')).toHaveProperty('value', 'Meredith')
  await open('Dr. Grey')
  expect(await screen.findByDisplayValue('Meredith Ann')).toHaveProperty('name', 'professional_first_name')
})

test('the login has the header and the footer of the public site', async () => {
  stubApi(LOGGED_OUT_RESPONSE)
  renderApp('/login')
  await screen.findByLabelText(/^Email/)
  expect(screen.getByRole('contentinfo')).toBeDefined()
  expect(namesIn('Main')).toContain('About')
})

const OTHER = '00000000-0000-4000-8000-0000000000b2'

function main(): HTMLElement {
  return screen.getByRole('navigation', { name: 'Main' })
}

function namesIn(name: string): (string | null)[] {
  const links = within(screen.getByRole('navigation', { name })).getAllByRole('link')
  return links.map((link) => link.textContent).filter((text) => text !== 'Meridian')
}

/** Stubs a narrow window. `widen` makes it wide. */
function stubNarrow(): { widen: () => void } {
  const listeners = new Set<() => void>()
  let isNarrow = true
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.startsWith('(max-width') === isNarrow,
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  }))
  return {
    widen() {
      isNarrow = false
      for (const listener of listeners) listener()
    },
  }
}
