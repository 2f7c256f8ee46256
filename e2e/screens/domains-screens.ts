import type { Page } from '@playwright/test'
import type { CalendarDomain } from '#contract/domains.ts'
import { tab } from './calendar-tab.ts'
import { keepToast } from './keep-toast.ts'
import { onPlan } from './on-plan.ts'
import { awaited, type Screen } from './screen.ts'

const DAY_MS = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

const HOST = 'termine.praxis-osei.example'
const TARGET = 'domains.meridian.example'

const RECORDS: CalendarDomain['records'] = [
  {
    type: 'TXT',
    name: `_meridian-challenge.${HOST}`,
    wanted: ['meridian-3f9a1c0d77e24b5f9c8e6a2b1d4f7088'],
    found: [],
    verdict: 'unknown',
  },
  { type: 'CNAME', name: HOST, wanted: [TARGET], found: [], verdict: 'unknown' },
]

const NO_DOMAIN: CalendarDomain = {
  type: 'path',
  path: null,
  subdomain: 'riverside-talks.localhost',
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
  public_url: 'https://meridian.example/book/riverside-talks',
}

/** A domain of the owner in one of its states, as if the calendar had it. */
function withDomain(over: Partial<CalendarDomain>) {
  return (domain: CalendarDomain): CalendarDomain => ({
    ...domain,
    type: 'custom',
    custom_domain: HOST,
    state: 'pending',
    records: RECORDS,
    dns_page: null,
    custom_in_plan: true,
    ...over,
  })
}

const DOMAIN = '**/api/calendars/*/domain'
const common = { path: tab('domains', 'unconnected'), as: 'demo' } as const

/** The address of a calendar: a path, a subdomain, or a domain of the owner in each of its states. */
export const DOMAINS_SCREENS: readonly Screen[] = [
  { ...common, name: 'domains-path', sees: 'Address of your booking page' },
  {
    ...common,
    name: 'domains-subdomain',
    does: (page) => page.getByRole('radio', { name: 'Subdomain' }).check(),
    sees: /The name comes from the/,
  },
  { ...common, name: 'domains-typed', does: typeDomain, sees: 'Valid domain format' },
  {
    ...common,
    name: 'domains-not-in-plan',
    answers: {
      '**/api/subscription': onPlan('Free'),
      [DOMAIN]: (domain: CalendarDomain) => ({ ...domain, custom_in_plan: false }),
    },
    does: (page) => page.getByRole('radio', { name: 'Custom domain' }).check(),
    sees: 'Custom domain is not available on the Free plan.',
  },
  {
    ...common,
    name: 'domains-pending',
    answers: { [DOMAIN]: withDomain({ dns_page: '/sandbox/dns' }) },
    sees: 'Waiting for your DNS records',
  },
  {
    ...common,
    name: 'domains-looked',
    answers: {
      [DOMAIN]: withDomain({}),
      '**/domain/verification': { json: { verified: false, domain: toLooked() } },
    },
    does: (page) => page.getByRole('button', { name: 'Verify Domain' }).click(),
    sees: ['Different', 'Still spreading'],
  },
  {
    ...common,
    name: 'domains-live',
    answers: { [DOMAIN]: withDomain({ state: 'live', certificate: 'ready', public_url: `https://${HOST}` }) },
    sees: 'Your domain is live',
  },
  {
    ...common,
    name: 'domains-leave',
    answers: { [DOMAIN]: withDomain({ state: 'live', certificate: 'ready', public_url: `https://${HOST}` }) },
    does: async (page) => {
      await page.getByRole('radio', { name: 'Path' }).check()
      await page.getByRole('button', { name: 'Save Domain Settings' }).click()
    },
    sees: `Stop using ${HOST}?`,
  },
  ...(['live', 'pending'] as const).map(
    (state): Screen => ({
      ...common,
      name: `domains-no-answer-${state}`,
      answers: {
        [DOMAIN]: withDomain({ state, certificate: 'ready' }),
        '**/domain/verification': {
          json: { verified: false, domain: withDomain({ state, certificate: 'ready' })(NO_DOMAIN) },
        },
      },
      does: async (page) => {
        await page.getByRole('button', { name: 'Verify Domain' }).click()
        await keepToast(page)
      },
      sees:
        state === 'live'
          ? 'DNS servers gave no clear answer just now. Your domain keeps working.'
          : 'Domain verification pending. Please check DNS configuration.',
    }),
  ),
  {
    ...common,
    name: 'domains-certificate-pending',
    only: 'phone',
    answers: { [DOMAIN]: withDomain({ state: 'live', certificate: 'pending' }) },
    sees: 'The certificate is on its way',
  },
  {
    ...common,
    name: 'domains-certificate-failed',
    answers: { [DOMAIN]: withDomain({ state: 'live', certificate: 'failed' }) },
    sees: 'Your domain has no certificate yet',
  },
  {
    ...common,
    name: 'domains-pointing-elsewhere',
    only: 'phone',
    answers: { [DOMAIN]: withDomain({ state: 'live', failing_since: ago(2), kept_until: ago(-35) }) },
    sees: 'Your domain does not point here',
  },
  {
    ...common,
    name: 'domains-failing',
    answers: { [DOMAIN]: withDomain({ state: 'failing', failing_since: ago(10), kept_until: ago(-27) }) },
    sees: 'Your domain is not used any more',
  },
  {
    ...common,
    name: 'domains-lost',
    only: 'phone',
    answers: { [DOMAIN]: withDomain({ state: 'released', records: [] }) },
    sees: 'This calendar has lost the domain',
  },
  ...awaited({ ...common, name: 'domains' }, [DOMAIN], {
    loading: 'Loading domain settings...',
    failed: 'Failed to load domain settings',
  }),
  {
    name: 'dns-sandbox',
    path: '/',
    as: 'demo',
    does: openDns,
    sees: ['DNS records', 'What goes wrong'],
  },
]

/** A look that found one record somewhere else, and another one only in places. */
function toLooked(): CalendarDomain {
  const [text, name] = RECORDS
  if (text === undefined || name === undefined) throw new Error('A domain has two records')
  const records = [
    { ...text, found: [...text.wanted], verdict: 'spreading' as const },
    { ...name, found: ['shop.example'], verdict: 'wrong' as const },
  ]
  return withDomain({ records })(NO_DOMAIN)
}

async function typeDomain(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Custom domain' }).check()
  await page.getByRole('textbox', { name: 'Custom domain' }).fill('praxis-müller.example')
}

/** The stand-in's page, with a record. */
async function openDns(page: Page): Promise<void> {
  await page.goto('/sandbox/dns')
  const form = page.locator('form').filter({ hasText: 'Add a record' })
  await form.getByRole('textbox', { name: 'Name' }).fill(`_meridian-challenge.termine.osei.localhost`)
  await form.getByRole('textbox', { name: 'Value' }).fill('meridian-3f9a1c0d77e24b5f9c8e6a2b1d4f7088')
  await form.getByRole('button', { name: 'Add' }).click()
}
