import type { APIRequestContext, Browser, BrowserContext, Cookie, Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { connectPaypal, connectStripe } from '#e2e/support/connect.ts'
import {
  book,
  createCalendar,
  createType,
  makePerson,
  nextTuesday,
  post,
  signUp,
} from '#e2e/support/people.ts'
import type { Viewer } from './screen.ts'
import { prepareWordy } from './wordy-practice.ts'

/** What the screens are taken of, beside the demo data. Made as people make it: through the API. */
export type World = {
  readonly cookies: Readonly<Record<Exclude<Viewer, 'visitor'>, readonly Cookie[]>>
  readonly calendars: Readonly<
    Record<'demo' | 'paid' | 'plain' | 'unconnected' | 'empty' | 'wordy', Calendar>
  >
  /** Ids of appointments, by how they stand. */
  readonly appointments: Readonly<Record<'confirmed' | 'requested' | 'cancelled' | 'wordy', string>>
  /** The signed link of the confirmed one. */
  readonly manageToken: string
}

/** How the global setup tells the workers what it has made. */
export const WORLD_VARIABLE = 'SCREENS_WORLD'

/** Prepares four practices: one without a calendar, one with an empty one, the demo's with all it may have, and a wordy one. */
export async function prepareWorld(browser: Browser, url: string): Promise<World> {
  const open = () => browser.newContext({ baseURL: url })
  const newcomer = await open()
  await signUp(await newcomer.newPage(), { ...makePerson('Nora Lindqvist') })
  const beginner = await open()
  const beginnerPage = await beginner.newPage()
  await signUp(beginnerPage, makePerson('Ida Berg'))
  const empty = await createCalendar(beginnerPage, { name: 'Berg Yoga', category: 'Teacher' })
  const wordy = await prepareWordy(await open())
  const demo = await prepareDemo(await open())
  const world = {
    cookies: {
      newcomer: await newcomer.cookies(),
      beginner: await beginner.cookies(),
      demo: await demo.context.cookies(),
      wordy: await wordy.context.cookies(),
    },
    calendars: {
      demo: demo.calendar,
      paid: demo.paid,
      plain: demo.plain,
      unconnected: demo.unconnected,
      empty,
      wordy: wordy.calendar,
    },
    appointments: { ...demo.appointments, wordy: wordy.appointmentId },
    manageToken: demo.manageToken,
  }
  for (const context of browser.contexts()) await context.close()
  return world
}

/** @throws Error outside a run whose global setup has made it */
export function readWorld(): World {
  const text = process.env[WORLD_VARIABLE]
  if (!text) throw new Error(`${WORLD_VARIABLE} is not set: the global setup has not run`)
  return JSON.parse(text) as World // written by the global setup
}

/** The demo practice with appointments in every state, a calendar that takes payments, one that is to take them, and one without types. */
async function prepareDemo(context: BrowserContext) {
  const { request } = context
  await post(request, '/api/auth/sign-in', { email: 'demo@example.com', password: 'meridian-demo' })
  const { calendars } = (await (await request.get('/api/calendars')).json()) as { calendars: Calendar[] } // our own API
  const [calendar] = calendars
  if (calendar === undefined) throw new Error('There is no demo calendar')
  const { appointments, manageToken } = await bookEveryState(request, calendar)
  const page = await context.newPage()
  const paid = await createPaidCalendar(page)
  const unconnected = await createCalendar(page, { name: 'Riverside Talks', payment_required: true })
  const plain = await createCalendar(page, { name: 'Riverside Walks' })
  return { context, calendar, paid, plain, unconnected, appointments, manageToken }
}

async function bookEveryState(request: APIRequestContext, calendar: Calendar) {
  const { appointment_types: types } = (await (
    await request.get(`/api/calendars/${calendar.id}/appointment-types`)
  ).json()) as { appointment_types: { id: string; name: string }[] } // our own API
  const typeId = (name: string) => types.find((type) => type.name === name)?.id ?? ''
  const online = typeId('Online session')
  const tuesday = nextTuesday()
  const later = (weeks: number) => addDays(tuesday, 7 * weeks)
  const bookOne = (startsAt: string, name: string) =>
    book(request, calendar, { startsAt, person: makePerson(name), typeId: online })
  const bookAt = async (startsAt: string, name: string) => (await bookOne(startsAt, name)).id
  const act = (id: string, action: string) =>
    post(request, `/api/calendars/${calendar.id}/appointments/${id}/actions`, { action })

  const { id: confirmed, manage_token: manageToken } = await bookOne(`${later(1)}T14:00:00Z`, 'Ada Lovelace')
  const requested = await bookAt(`${later(1)}T15:30:00Z`, 'Alan Turing')
  await post(request, `/api/public/appointments/${requested}/cancellation-request`, {})
  const cancelled = await bookAt(`${later(1)}T10:00:00Z`, 'Grace Hopper')
  await act(cancelled, 'cancel')
  await act(await bookAt(`${later(2)}T14:00:00Z`, 'Mary Somerville'), 'mark_paid')
  const refunded = await bookAt(`${later(2)}T15:30:00Z`, 'Charles Babbage')
  await act(refunded, 'mark_paid')
  await act(refunded, 'refund')
  const awaited = await bookAt(`${later(2)}T10:00:00Z`, 'Emmy Noether')
  await act(awaited, 'mark_not_required')
  await act(awaited, 'mark_pending')
  for (const [week, name] of [
    [3, 'Maria Mitchell'],
    [4, 'Caroline Herschel'],
  ] as const) {
    await bookAt(`${later(week)}T14:00:00Z`, name)
  }
  await post(request, `/api/calendars/${calendar.id}/appointments`, {
    appointment_type_id: online,
    date: tuesday,
    time: '19:30',
    outside_hours: true,
    customer: { name: 'Walter Walkin', phone: '+44 20 7946 0999' },
    description: 'Came by in the morning and asked for the evening.',
  })
  return { appointments: { confirmed, requested, cancelled }, manageToken }
}

/** A calendar whose customers pay by card or PayPal, with a payment that was made. */
async function createPaidCalendar(page: Page): Promise<Calendar> {
  const calendar = await createCalendar(page, {
    name: 'Riverside Massage',
    category: 'Therapist',
    description: 'Massage by the river, paid when you book.',
    color: '#b45309',
    appointment_title_required: true,
  })
  await connectStripe(page, calendar)
  await connectPaypal(page, calendar)
  await createType(page, calendar, { name: 'Massage', duration: 45, price: 45 })
  await createType(page, calendar, { name: 'Long massage', duration: 90, price: 80, payment_required: true })
  return calendar
}
