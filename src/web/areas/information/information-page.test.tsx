// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BROWSER_STORAGE_ITEMS } from '#contract/information/browser-storage.ts'
import type { InformationPageName } from '#contract/information/information-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { RETENTION_DAYS, RETENTION_HOURS, RETENTION_MINUTES } from '#contract/shared/retention.ts'
import { MANAGE_LINK_DAYS } from '#core/appointments/manage-link.ts'
import { makeSitePageData, OPERATOR_WITHOUT_DETAILS } from '#tests/support/make-site.ts'
import {
  DRAFT_BEFORE_PAYMENT_KEY,
  PENDING_PAYMENT_KEY,
} from '#web/areas/appointments/bookings/storage-keys.ts'
import { LOGGED_IN_FLAG } from '#web/shared/sign-out.ts'
import { InformationPage } from './information-page.tsx'
import { formatDays, formatHours } from './retention-list.tsx'

test.each(['about', 'privacy', 'terms', 'cookies'] as const)(
  'the index of %s leads to each of its sections',
  (name) => {
    open(name)
    const index = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link')
    expect(index.length).toBeGreaterThan(2)
    for (const link of index) {
      const section = document.getElementById(link.getAttribute('href')?.slice(1) ?? '')
      expect(section?.textContent).toBe(link.textContent)
    }
  },
)

test.each(['about', 'privacy', 'contact'] as const)('%s names the operator', (name) => {
  open(name)
  expect(screen.getByText('Harbour Software')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'desk@harbour.example' })).toBeTruthy()
})

/** For each retention period that housekeeping enforces: the page that states the period, and the wording on that page. */
const TOLD = {
  days: {
    session: ['privacy', `${RETENTION_DAYS.session} days after a device was last used.`],
    trustedDevice: ['cookies', `${RETENTION_DAYS.trustedDevice} days after the last login.`],
    knownDevice: ['cookies', `${RETENTION_DAYS.knownDevice} days after the last login`],
    registration: ['privacy', `We delete them after ${formatDays(RETENTION_DAYS.registration)}.`],
    invitation: ['privacy', `use the invitation, and ${RETENTION_DAYS.invitation} days at most.`],
    endedHold: ['privacy', `We erase what was typed after ${RETENTION_DAYS.endedHold} days.`],
    waitingRequest: [
      'privacy',
      `until your request ends, and ${RETENTION_DAYS.waitingRequest} days after that.`,
    ],
    unconfirmedRequest: ['privacy', `that nobody confirmed: ${RETENTION_DAYS.unconfirmedRequest} days.`],
    billingEvent: [
      'privacy',
      `The number of the event and of the owner who pays: ${RETENTION_DAYS.billingEvent} days.`,
    ],
    paymentEvent: ['privacy', `without personal data: ${RETENTION_DAYS.paymentEvent} days.`],
    externalEvent: ['privacy', `The times of an event: ${RETENTION_DAYS.externalEvent} days after its end`],
    settingChange: ['privacy', `setting of a calendar: ${RETENTION_DAYS.settingChange} days.`],
    refusal: ['privacy', `without anything about the customer: ${RETENTION_DAYS.refusal} days.`],
    idempotencyKey: ['privacy', `We recognize them for ${formatDays(RETENTION_DAYS.idempotencyKey)}.`],
    attempts: ['privacy', `Network addresses: ${formatDays(RETENTION_DAYS.attempts)} at most.`],
    emailRecipient: ['privacy', `or unsubscribed: ${RETENTION_DAYS.emailRecipient} days.`],
    endedJob: ['privacy', `Until they are sent or given up, and ${RETENTION_DAYS.endedJob} days after that`],
  } satisfies Record<keyof typeof RETENTION_DAYS, readonly [InformationPageName, string]>,
  hours: {
    accountMail: ['privacy', `choose a password: ${formatHours(RETENTION_HOURS.accountMail)} after that.`],
    contactMessage: [
      'privacy',
      `contact pageUntil they are sent or given up, and ${formatHours(RETENTION_HOURS.contactMessage)} after`,
    ],
    calendarAccess: ['privacy', `delete it ${formatHours(RETENTION_HOURS.calendarAccess)} after that.`],
    holder: ['privacy', `${formatHours(RETENTION_HOURS.holder)} after the time was released.`],
  } satisfies Record<keyof typeof RETENTION_HOURS, readonly [InformationPageName, string]>,
  minutes: {
    secondFactor: ['cookies', `${RETENTION_MINUTES.secondFactor} minutes.`],
    customerSession: ['cookies', `practice.${RETENTION_MINUTES.customerSession} minutes`],
  } satisfies Record<keyof typeof RETENTION_MINUTES, readonly [InformationPageName, string]>,
}

test('every time that housekeeping keeps to is told, and the same on both places of a page', () => {
  for (const [page, sentence] of Object.values(TOLD).flatMap((told) => Object.values(told))) {
    open(page)
    expect(document.body.textContent).toContain(sentence)
    cleanup()
  }
  open('privacy')
  expect(document.body.textContent).toContain(
    `stored here until it is sent or given up, and ${formatHours(RETENTION_HOURS.contactMessage)} after that`,
  )
})

test('privacy says which accounts of owners are stored, and who can change what about a customer', () => {
  open('privacy')
  expect(screen.getByText('the number of a Stripe account that you connect;')).toBeTruthy()
  expect(screen.getByText(/client id and secret of your app there, the secret encrypted/)).toBeTruthy()
  expect(screen.getByText(/including its own notes, which your pages don’t show/)).toBeTruthy()
  cleanup()
  open('privacy', { stripe: false })
  expect(document.body.textContent).not.toContain('Stripe')
})

test('privacy says how customers see, take along and erase what is stored about them', () => {
  open('privacy')
  expect(document.body.textContent).toContain(`until ${MANAGE_LINK_DAYS} days after it`)
  expect(document.body.textContent).toContain(
    `They can see all their appointments with its calendar, download what it stores about them, and erase their name, address, phone number and notes.`,
  )
  expect(document.body.textContent).toContain('Times and amounts stay for accounting, without the name.')
})

test('privacy names Stripe only where owners can connect it', () => {
  open('privacy')
  expect(screen.getByText('Stripe')).toBeTruthy()
  cleanup()
  open('privacy', { stripe: false })
  expect(screen.queryByText('Stripe')).toBeNull()
  expect(screen.getByText('PayPal')).toBeTruthy()
})

test('privacy says what Stripe is told about owners who buy a plan, only where plans are for sale', () => {
  const plans_for_sale = [{ tier: 'business', amount_cents: 1_999, currency: 'eur' }] as const
  open('privacy', { stripe: false, plans_for_sale })
  expect(screen.getByText(/buy a plan: your name, your email address and the plan/)).toBeTruthy()
  expect(screen.getByText(/for a plan that you buy: its price/)).toBeTruthy()
  cleanup()
  open('privacy', { plans_for_sale: [] })
  expect(screen.queryByText(/buy a plan/)).toBeNull()
})

test('cookies names everything that the product keeps in a browser, with what for and how long', () => {
  open('cookies')
  const names = screen.getAllByRole('term').map(({ textContent }) => textContent)
  expect(names.sort()).toEqual(BROWSER_STORAGE_ITEMS.map(({ name }) => name).sort())
  for (const key of ['ui-theme', LOGGED_IN_FLAG, PENDING_PAYMENT_KEY, DRAFT_BEFORE_PAYMENT_KEY])
    expect(names).toContain(key)
  for (const { purpose, lifetime } of BROWSER_STORAGE_ITEMS)
    expect(document.body.textContent).toContain(`${purpose}${lifetime}.`)
})

test('the terms of a trial say that it is one', () => {
  open('terms', { sandbox: true })
  expect(screen.getByRole('heading', { name: 'This is a trial' })).toBeTruthy()
  cleanup()
  open('terms')
  expect(screen.queryByRole('heading', { name: 'This is a trial' })).toBeNull()
})

test('where nobody reads messages there is no form, and the page says why', () => {
  open('contact', { contact_form: false, operator: OPERATOR_WITHOUT_DETAILS })
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  expect(document.body.textContent).not.toMatch(/Write to|Send a message|Who reads it/)
  expect(screen.getByText(/hasn’t given an email address, so you can’t send messages here/)).toBeTruthy()
})

function open(name: InformationPageName, site: Partial<SitePageData> = {}): void {
  render(<InformationPage name={name} site={makeSitePageData(site)} />)
}
