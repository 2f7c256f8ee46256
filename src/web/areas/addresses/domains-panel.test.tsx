// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { CalendarDomain } from '#contract/addresses/domains.ts'
import { CALENDAR_ID, makeCalendar, makeSubscription } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { DomainsPanel } from './domains-panel.tsx'

const PATH = `/api/calendars/${CALENDAR_ID}/domain`
const HOST = 'book.osei.org'

function makeDomain(over: Partial<CalendarDomain> = {}): CalendarDomain {
  return {
    type: 'path',
    path: null,
    subdomain: 'dr-grey.pages.example',
    custom_domain: null,
    custom_domain_letters: null,
    state: null,
    failing_since: null,
    kept_until: null,
    last_checked_at: null,
    certificate: null,
    records: [],
    dns_page: null,
    offers_subdomain: true,
    offers_custom: true,
    custom_in_plan: true,
    public_url: 'https://meridian.example/book/dr-grey',
    ...over,
  }
}

function makeCustom(over: Partial<CalendarDomain> = {}): CalendarDomain {
  return makeDomain({
    type: 'custom',
    custom_domain: HOST,
    state: 'pending',
    records: [
      {
        type: 'TXT',
        name: `_meridian-challenge.${HOST}`,
        wanted: ['meridian-0123'],
        found: [],
        verdict: 'unknown',
      },
      { type: 'CNAME', name: HOST, wanted: ['domains.example.net'], found: [], verdict: 'unknown' },
    ],
    ...over,
  })
}

function renderPanel(domain: CalendarDomain) {
  const api = stubApi({ [`GET ${PATH}`]: domain })
  const part = <DomainsPanel calendar={makeCalendar()} subscription={makeSubscription()} />
  return { api, ...renderComponent(part) }
}

test('a path is chosen, and the booking link keeps working', async () => {
  const { api, user } = renderPanel(makeDomain())
  const field = await screen.findByRole('textbox', { name: 'Path' })
  await user.type(field, 'osei')
  expect(screen.getByText(/\/book\/osei\. The booking link dr-grey keeps working\.$/)).toBeDefined()
  api.answer(`PUT ${PATH}`, makeDomain({ path: 'osei' }))
  await user.click(screen.getByRole('button', { name: 'Save domain settings' }))
  expect(await screen.findByText('Domain settings updated successfully')).toBeDefined()
  expect(api.to(`PUT ${PATH}`)[0]?.body).toEqual({ type: 'path', path: 'osei' })
})

test('a subdomain can be chosen, and its name is fixed', async () => {
  const { api, user } = renderPanel(makeDomain())
  await user.click(await screen.findByRole('radio', { name: 'Subdomain' }))
  expect(screen.getByText('dr-grey.pages.example')).toBeDefined()
  expect(screen.queryByRole('textbox')).toBeNull()
  api.answer(`PUT ${PATH}`, makeDomain({ type: 'subdomain' }))
  await user.click(screen.getByRole('button', { name: 'Save domain settings' }))
  expect(await screen.findByText('Subdomain configured: dr-grey.pages.example')).toBeDefined()
})

test('the advice about a domain follows the typed text and does not prevent saving', async () => {
  const { api, user } = renderPanel(makeDomain())
  await user.click(await screen.findByRole('radio', { name: 'Custom domain' }))
  const field = screen.getByRole('textbox', { name: 'Custom domain' })
  const advice = 'Please enter a valid domain (e.g., yourdomain.com or book.yourdomain.com)'
  expect(screen.getByText(advice)).toBeDefined()
  await user.type(field, 'book.osei')
  expect(screen.getByText('Valid domain format')).toBeDefined()
  await user.type(field, ':80')
  expect(screen.getByText(advice)).toBeDefined()
  api.answer(`PUT ${PATH}`, errorResponse('domain.with_more'))
  await user.click(screen.getByRole('button', { name: 'Save domain settings' }))
  expect(await screen.findByText(/^Domain operation failed: Please enter only the domain/)).toBeDefined()
})

test('a domain shows the records to set, and each name and value can be copied', async () => {
  const { user } = renderPanel(makeCustom())
  const records = within(await screen.findByRole('list', { name: 'DNS records' }))
  expect(records.getAllByRole('listitem')).toHaveLength(2)
  expect(records.queryByText('No answer')).toBeNull()
  await user.click(records.getByRole('button', { name: 'Copy the value of the TXT record' }))
  expect(await navigator.clipboard.readText()).toBe('meridian-0123')
  expect(await screen.findByText('Copied to clipboard!')).toBeDefined()
  await user.click(records.getByRole('button', { name: 'Copy the name of the CNAME record' }))
  expect(await navigator.clipboard.readText()).toBe(HOST)
})

test('a verification shows the found records, and that the domain is pending', async () => {
  const { api, user } = renderPanel(makeCustom())
  const [text, name] = makeCustom().records
  if (text === undefined || name === undefined) throw new Error('two records are set')
  const records = [
    { ...text, verdict: 'correct' as const, found: ['meridian-0123'] },
    { ...name, verdict: 'wrong' as const, found: ['shop.example'] },
  ]
  api.answer(`POST ${PATH}/verification`, { verified: false, domain: makeCustom({ records }) })
  await user.click(await screen.findByRole('button', { name: 'Verify Domain' }))
  expect(
    await screen.findByText('Domain verification pending. Please check DNS configuration.'),
  ).toBeDefined()
  expect(screen.getByText('Correct')).toBeDefined()
  expect(screen.getByText('Different')).toBeDefined()
  expect(screen.getByText('shop.example')).toBeDefined()
})

test('a domain with correct records goes live, and the calendar uses it', async () => {
  const { api, user } = renderPanel(makeCustom())
  const domain = makeCustom({ state: 'live', public_url: `https://${HOST}` })
  api.answer(`POST ${PATH}/verification`, { verified: true, domain })
  await user.click(await screen.findByRole('button', { name: 'Verify Domain' }))
  expect(await screen.findByText('Domain verified!')).toBeDefined()
  expect(screen.getByText('Your domain is live')).toBeDefined()
})

test('a pending certificate is refetched until it is ready, and the found records stay visible', async () => {
  const { api, user } = renderPanel(makeCustom())
  const records = makeCustom().records.slice(1)
  const found = records.map((record) => ({ ...record, found: record.wanted, verdict: 'correct' as const }))
  const proven = { state: 'live', certificate: 'pending' } as const
  const domain = makeCustom({ ...proven, records: found })
  api.answer(`POST ${PATH}/verification`, { verified: true, domain })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await user.click(await screen.findByRole('button', { name: 'Verify Domain' }))
  expect(await screen.findByText('The certificate is on its way')).toBeDefined()
  expect(screen.getByText(/^Your domain is set up\..* Until then, we use your booking link\.$/)).toBeDefined()
  const ready = { state: 'live', certificate: 'ready', public_url: `https://${HOST}` } as const
  api.answer(`GET ${PATH}`, makeCustom({ ...ready, records }))
  const reads = api.to(`GET ${PATH}`).length
  vi.advanceTimersByTime(5_000)
  expect(await screen.findByText('Your domain is live')).toBeDefined()
  expect(screen.getByText('Correct')).toBeDefined()
  vi.advanceTimersByTime(60_000)
  expect(api.to(`GET ${PATH}`)).toHaveLength(reads + 1)
})

test('a subdomain without a certificate shows that links do not use it yet', async () => {
  renderPanel(makeDomain({ type: 'subdomain', certificate: 'failed' }))
  expect(await screen.findByText('Your subdomain has no certificate yet')).toBeDefined()
  expect(screen.getByText(/^Your booking page will be at/)).toBeDefined()
  expect(screen.queryByText(/CAA/)).toBeNull()
})

test('a failed verification shows the reason', async () => {
  const { api, user } = renderPanel(makeCustom())
  api.answer(`POST ${PATH}/verification`, errorResponse('domain.changed_meanwhile'))
  await user.click(await screen.findByRole('button', { name: 'Verify Domain' }))
  const reason = /^Failed to verify domain: This domain was changed, or somebody else verified it/
  expect(await screen.findAllByText(reason)).toHaveLength(1)
})

test.each([
  [{ state: 'live', failing_since: '2027-01-05T08:00:00.000Z' }, 'Your domain doesn’t point here'],
  [
    {
      state: 'failing',
      failing_since: '2027-01-05T08:00:00.000Z',
      kept_until: '2027-02-11T08:00:00.000Z',
    },
    'Your domain is no longer used',
  ],
  [{ state: 'live', custom_in_plan: false, certificate: 'failed' }, 'Your domain isn’t in use'],
  [{ state: 'live', certificate: 'failed' }, 'Your domain has no certificate yet'],
] as const)('the state %j is described', async (over, title) => {
  renderPanel(makeCustom(over))
  expect(await screen.findByText(title)).toBeDefined()
})

test('a domain that was lost can be added again', async () => {
  const { api, user } = renderPanel(makeCustom({ state: 'released', records: [] }))
  expect(await screen.findByText('This calendar no longer has the domain')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Verify Domain' })).toBeNull()
  api.answer(`PUT ${PATH}`, makeCustom())
  await user.click(screen.getByRole('button', { name: 'Add the domain again' }))
  expect(await screen.findByText('Custom domain added. Please configure DNS records.')).toBeDefined()
  expect(api.to(`PUT ${PATH}`)[0]?.body).toEqual({ type: 'custom', custom_domain: HOST })
})

test('without custom domains in the plan, links to the prices and keeps the choice visible', async () => {
  const { user } = renderPanel(makeDomain({ custom_in_plan: false }))
  await user.click(await screen.findByRole('radio', { name: 'Custom domain' }))
  expect(screen.getByText(/^Custom domain is not available on the/)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Upgrade Plan' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Save domain settings' })).toBeNull()
})

test('an installation without subdomains and domains offers only the path', async () => {
  renderPanel(makeDomain({ subdomain: null, offers_subdomain: false, offers_custom: false }))
  expect(await screen.findByRole('radio', { name: 'Path' })).toBeDefined()
  expect(screen.getAllByRole('radio')).toHaveLength(1)
})

test('a DNS sandbox links to its page', async () => {
  renderPanel(makeCustom({ dns_page: '/sandbox/dns' }))
  const link = await screen.findByRole('link', { name: 'Open the DNS page' })
  expect(link.getAttribute('href')).toBe('/sandbox/dns')
})

test('shows that it is loading', () => {
  stubApi({ [`GET ${PATH}`]: heldResponse({}).answer })
  renderComponent(<DomainsPanel calendar={makeCalendar()} subscription={makeSubscription()} />)
  expect(screen.getByText('Loading domain settings...')).toBeDefined()
})

test('shows an error when loading fails', async () => {
  stubApi({ [`GET ${PATH}`]: errorResponse('calendar.forbidden') })
  renderComponent(<DomainsPanel calendar={makeCalendar()} subscription={makeSubscription()} />)
  expect((await screen.findAllByText('Failed to load domain settings')).length).toBeGreaterThan(0)
})

test.each([{ state: 'live' }, { state: 'failing', failing_since: '2027-01-01T00:00:00Z' }] as const)(
  'giving up a verified domain needs a confirmation: %j',
  async (standing) => {
    const { api, user } = renderPanel(makeCustom({ ...standing, records: [] }))
    await user.click(await screen.findByRole('radio', { name: 'Path' }))
    await user.click(screen.getByRole('button', { name: 'Save domain settings' }))
    const question = within(await screen.findByRole('alertdialog', { name: `Stop using ${HOST}?` }))
    expect(api.to(`PUT ${PATH}`)).toEqual([])
    api.answer(`PUT ${PATH}`, makeDomain())
    await user.click(question.getByRole('button', { name: 'Change address' }))
    expect(await screen.findByText('Domain settings updated successfully')).toBeDefined()
    expect(api.to(`PUT ${PATH}`)).toHaveLength(1)
  },
)

test('a working domain is not called pending when DNS servers give no answer', async () => {
  const working = makeCustom({ state: 'live' })
  const { api, user } = renderPanel(working)
  api.answer(`POST ${PATH}/verification`, { verified: false, domain: working })
  await user.click(await screen.findByRole('button', { name: 'Verify Domain' }))
  expect(
    await screen.findByText('DNS servers gave no clear answer. Your domain keeps working.'),
  ).toBeDefined()
  // Without a response, the panel knows nothing about the records.
  expect(screen.getAllByText('No answer')).toHaveLength(2)
  expect(screen.queryByText('Found')).toBeNull()
})
