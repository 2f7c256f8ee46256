import { randomUUID } from 'node:crypto'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { MIN_FILL_MS } from '#core/appointments/bot-signals.ts'
import { addDays, dayOfWeek, localDateOf, toEpochMs, toRfc3339 } from '#core/shared/zoned-time.ts'
import { findLink, waitForMail } from './mailbox.ts'

/** Somebody with an address of their own, so that journeys never meet in the mailbox. */
export type Person = { readonly name: string; readonly email: string; readonly password: string }

export function makePerson(name: string): Person {
  const address = name.toLowerCase().replaceAll(' ', '.')
  return {
    name,
    email: `${address}.${randomUUID().slice(0, 8)}@example.com`,
    password: 'correct horse battery',
  }
}

/** Registers and confirms a person without the screens; the page's browser is signed in afterwards. */
export async function signUp(page: Page, person: Person): Promise<void> {
  const { request } = page.context()
  await post(request, '/api/auth/sign-up', {
    full_name: person.name,
    email: person.email,
    password: person.password,
  })
  const mail = await waitForMail({ to: person.email, subject: 'Confirm' })
  const link = new URL(findLink(mail, '/auth/callback'), 'http://localhost')
  await post(request, '/api/auth/email-verification', { token: link.searchParams.get('token') })
  await post(request, '/api/auth/sign-in', { email: person.email, password: person.password })
}

/** The prices are asked for when the product starts, and are on the page a moment later. */
export async function openPrices(page: Page): Promise<void> {
  await expect(async () => {
    await page.goto('/pricing')
    await expect(page.getByRole('button', { name: 'Subscribe: Professional' })).toBeVisible({
      timeout: 1_000,
    })
  }).toPass()
  // Who looks is known a moment later than the page is there.
  await page.waitForLoadState('networkidle')
}

/** Buys the Professional plan at the stand-in, for the signed-in person. */
export async function buyProfessional(page: Page): Promise<void> {
  await openPrices(page)
  await page.getByRole('button', { name: 'Subscribe: Professional' }).click()
  await expect(page.getByText('€9.99 per month')).toBeVisible()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** Creates a calendar of the signed-in person without the screens. */
export async function createCalendar(page: Page, body: Record<string, unknown> = {}): Promise<Calendar> {
  return post(page.context().request, '/api/calendars', {
    name: `Practice ${randomUUID().slice(0, 8)}`,
    timezone: LONDON,
    appointment_title_required: false,
    ...body,
  })
}

/** Adds an appointment type without the screens. */
export async function createType(
  page: Page,
  calendar: Calendar,
  body: Record<string, unknown>,
): Promise<{ id: string }> {
  return post(page.context().request, `/api/calendars/${calendar.id}/appointment-types`, body)
}

/** Books without the screens. `startsAt` is an instant. */
export async function book(
  request: APIRequestContext,
  calendar: Calendar,
  body: { startsAt: string; person: Person; typeId?: string; notes?: string },
): Promise<{ id: string; booking_reference: string; manage_token: string }> {
  return post(request, `/api/public/calendars/${calendar.slug}/appointments`, {
    appointment_type_id: body.typeId,
    starts_at: body.startsAt,
    time_zone: LONDON,
    description: body.notes,
    customer: { name: body.person.name, email: body.person.email },
  })
}

/** Where the practices of journeys are, unless they say otherwise. */
const LONDON = 'Europe/London'

/** Answers of `nextTuesday`: a journey over midnight would else speak of two Tuesdays. */
const tuesdays = new Map<string, string>()

/**
 * The date of the next Tuesday that was at least two days ahead when this process asked first: never today, never at the end of
 * a reachable week.
 */
export function nextTuesday(timeZone = LONDON): string {
  const known = tuesdays.get(timeZone)
  if (known !== undefined) return known
  let date = addDays(localDateOf(Date.now(), timeZone), 2)
  while (dayOfWeek(date) !== 2) date = addDays(date, 1)
  tuesdays.set(timeZone, date)
  return date
}

/** The instant at which the clocks of London show a time on a date; in summer that is an hour earlier in UTC. `time`: `9:30`. */
export function toInstant(date: string, time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return toRfc3339(toEpochMs(date, (hours * 60 + minutes) * 60, LONDON))
}

/** Chooses a date in the booking page's calendar, turning pages until its month is there. */
export async function chooseDate(page: Page, date: string): Promise<void> {
  const month = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    Date.parse(date),
  )
  // The month is drawn by the browser; counted before, it would be passed by.
  const nextMonth = page.getByRole('button', { name: /next month/i })
  const change = page.getByRole('button', { name: /^Change date/ })
  await nextMonth.or(change).first().waitFor()
  // A phone has closed it over the day that was chosen before.
  if (await change.isVisible()) {
    await change.click()
    await nextMonth.waitFor()
  }
  for (let turns = 0; (await page.getByText(month, { exact: true }).count()) === 0; turns += 1) {
    expect(turns, `${month} was not reached`).toBeLessThan(24)
    await nextMonth.click()
  }
  await page.getByRole('button', { name: new RegExp(dayName(date)) }).click()
  await takeAPersonsTime(page)
}

/** Chooses a free time of the chosen date. A phone closes the step over it. */
export async function chooseTime(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click()
  const pressed = page.getByRole('button', { name: label, exact: true, pressed: true, includeHidden: true })
  await expect(pressed).toHaveCount(1)
  await expect(page.getByText(`at ${label}`).first()).toBeVisible()
}

/** Opens a step of the booking page again that a phone has closed over what was chosen; leaves it as it is elsewhere. */
export async function reopen(page: Page, step: 'appointment type' | 'date' | 'date and time'): Promise<void> {
  const change = page.getByRole('button', { name: `Change ${step}`, exact: true })
  if (await change.isVisible()) await change.click()
}

/** Waits until the form has been open for as long as anybody needs: what is filled in faster is taken for a program's. */
export async function takeAPersonsTime(page: Page): Promise<void> {
  await page.waitForFunction((ms) => performance.now() > ms, MIN_FILL_MS)
}

/** How the calendar names a day to a screen reader: `December 1, 2026`. */
export function dayName(date: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
  }).format(Date.parse(date))
}

/** Asks the API as the browser's person would. */
export async function post<Answer>(request: APIRequestContext, path: string, data: unknown): Promise<Answer> {
  const response = await request.post(path, { data })
  if (!response.ok()) throw new Error(`POST ${path} answered ${response.status()}: ${await response.text()}`)
  return response.json()
}
