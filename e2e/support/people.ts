import { randomUUID } from 'node:crypto'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { MIN_FORM_FILL_MS } from '#core/appointments/bot-signals.ts'
import { addDays, dayOfWeek, localDateOf, toEpochMs, toRfc3339 } from '#core/shared/zoned-time.ts'
import { findLink, waitForMail } from './mailbox.ts'

/** A person with a unique email address, so that journeys never read each other's emails. */
export type Person = { readonly name: string; readonly email: string; readonly password: string }

export function makePerson(name: string): Person {
  const address = name.toLowerCase().replaceAll(' ', '.')
  return {
    name,
    email: `${address}.${randomUUID().slice(0, 8)}@example.com`,
    password: 'correct horse battery',
  }
}

/**
 * Registers and confirms a person through the API. Afterwards the page's browser is signed in. The person has put the checklist of
 * the set-up away.
 */
export async function signUp(page: Page, person: Person): Promise<void> {
  const { request } = page.context()
  await postToApi(request, '/api/auth/sign-up', {
    full_name: person.name,
    email: person.email,
    password: person.password,
  })
  const mail = await waitForMail({ to: person.email, subject: 'Confirm' })
  const link = new URL(findLink(mail, '/auth/callback'), 'http://localhost')
  await postToApi(request, '/api/auth/email-verification', { token: link.searchParams.get('token') })
  const dismissed = await request.patch('/api/setup', { data: { is_dismissed: true } })
  if (!dismissed.ok()) throw new Error(`PATCH /api/setup answered ${dismissed.status()}`)
}

/** Registers a person by the form of the registration page, which is open. */
export async function fillRegistrationForm(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Full Name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page
    .getByLabel(/^Password/)
    .first()
    .fill(person.password)
  await page.getByLabel('Confirm password').fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** Opens the pricing page. Meridian loads the prices when it starts, so they may appear a moment later. */
export async function openPricingPage(page: Page): Promise<void> {
  await expect(async () => {
    await page.goto('/pricing')
    await expect(page.getByRole('button', { name: 'Subscribe: Professional' })).toBeVisible({
      timeout: 1_000,
    })
  }).toPass()
  // The page loads the session only after it has appeared, so wait for that request.
  await page.waitForLoadState('networkidle')
}

/** Buys the Professional plan at the billing stand-in for the signed-in person. */
export async function buyProfessionalPlan(page: Page): Promise<void> {
  await openPricingPage(page)
  await page.getByRole('button', { name: 'Subscribe: Professional' }).click()
  await expect(page.getByText('€9.99 per month')).toBeVisible()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** Creates a calendar of the signed-in person through the API. */
export async function createCalendar(page: Page, body: Record<string, unknown> = {}): Promise<Calendar> {
  return postToApi(page.context().request, '/api/calendars', {
    name: `Practice ${randomUUID().slice(0, 8)}`,
    timezone: LONDON,
    appointment_title_required: false,
    ...body,
  })
}

/** Adds an appointment type through the API. */
export async function createAppointmentType(
  page: Page,
  calendar: Calendar,
  body: Record<string, unknown>,
): Promise<{ id: string }> {
  return postToApi(page.context().request, `/api/calendars/${calendar.id}/appointment-types`, body)
}

/** Books through the API. `startsAt` is an instant. */
export async function bookAppointment(
  request: APIRequestContext,
  calendar: Calendar,
  body: { startsAt: string; person: Person; typeId?: string; notes?: string },
): Promise<{ id: string; booking_reference: string; manage_token: string }> {
  return postToApi(request, `/api/public/calendars/${calendar.slug}/appointments`, {
    appointment_type_id: body.typeId,
    starts_at: body.startsAt,
    time_zone: LONDON,
    description: body.notes,
    customer: { name: body.person.name, email: body.person.email },
  })
}

/** The time zone of a journey's calendars, unless the journey chooses another. */
const LONDON = 'Europe/London'

/** Results of `nextTuesday` by time zone: without them, a journey that runs past midnight would use two different Tuesdays. */
const tuesdays = new Map<string, string>()

/**
 * Returns the next Tuesday that was at least two days ahead at the first call in this process. It is never today, and never at
 * the end of a week that can be booked.
 */
export function nextTuesday(timeZone = LONDON): string {
  const known = tuesdays.get(timeZone)
  if (known !== undefined) return known
  let date = addDays(localDateOf(Date.now(), timeZone), 2)
  while (dayOfWeek(date) !== 2) date = addDays(date, 1)
  tuesdays.set(timeZone, date)
  return date
}

/** Returns the instant of a London clock time on a date; in summer, that is an hour earlier in UTC. `time`: `9:30`. */
export function toInstant(date: string, time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return toRfc3339(toEpochMs(date, (hours * 60 + minutes) * 60, LONDON))
}

/** Chooses a date in the booking page's calendar, paging until its week is shown. */
export async function chooseDate(page: Page, date: string): Promise<void> {
  // The browser renders the days. Counting them before that would skip the right weeks.
  const nextWeeks = page.getByRole('button', { name: /next weeks/i })
  const day = page.getByRole('button', { name: new RegExp(accessibleDayName(date)) })
  const change = page.getByRole('button', { name: /^Change date/ })
  await nextWeeks.or(change).first().waitFor()
  // On a phone, the date step is collapsed once a day has been chosen.
  if (await change.isVisible()) {
    await change.click()
    await nextWeeks.waitFor()
  }
  for (let turns = 0; (await day.count()) === 0; turns += 1) {
    expect(turns, `${date} was not reached`).toBeLessThan(24)
    await nextWeeks.click()
  }
  await day.click()
  await waitAsLongAsAPerson(page)
}

/** Chooses a free time of the chosen date. On a phone, this collapses the step. */
export async function chooseTime(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click()
  const pressed = page.getByRole('button', { name: label, exact: true, pressed: true, includeHidden: true })
  await expect(pressed).toHaveCount(1)
  await expect(page.getByText(`at ${label}`).first()).toBeVisible()
}

/** Reopens a step of the booking page if it has collapsed. */
export async function reopenCollapsedStep(
  page: Page,
  step: 'appointment type' | 'date' | 'date and time',
): Promise<void> {
  const change = page.getByRole('button', { name: `Change ${step}`, exact: true })
  if (await change.isVisible()) await change.click()
}

/** Waits until the form has been open for `MIN_FORM_FILL_MS`: the server takes a form that was filled in faster for a bot's. */
export async function waitAsLongAsAPerson(page: Page): Promise<void> {
  await page.waitForFunction((ms) => performance.now() > ms, MIN_FORM_FILL_MS)
}

/** Returns the name of a day that the calendar gives to screen readers: `December 1, 2026`. */
export function accessibleDayName(date: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
  }).format(Date.parse(date))
}

/** Sends a request to the API as the browser's signed-in person. */
export async function postToApi<Answer>(
  request: APIRequestContext,
  path: string,
  data: unknown,
): Promise<Answer> {
  const response = await request.post(path, { data })
  if (!response.ok()) throw new Error(`POST ${path} answered ${response.status()}: ${await response.text()}`)
  return response.json()
}
