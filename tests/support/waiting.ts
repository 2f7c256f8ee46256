import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { WaitingListResponse, WaitingView } from '#contract/waiting-list/waiting-list.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { WAITING_LIST_SCAN } from '#server/records/freed-times/use-cases.ts'
import type { TestMeridian, TestOwner } from './meridian.ts'
import { waitUntil } from './race-track.ts'

/** Any time of the three weeks from Monday, 4 January 2027. */
export function waitingBody(body: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    from_date: '2027-01-04',
    to_date: '2027-01-24',
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    day_parts: ['morning', 'afternoon', 'evening'],
    name: 'Grace Hopper',
    email: 'grace@example.com',
    time_zone: 'Europe/London',
    ...body,
  }
}

export function join(
  meridian: TestMeridian,
  slug: string,
  body: Record<string, unknown> = {},
): Promise<LightMyRequestResponse> {
  return meridian.post(`/api/public/calendars/${slug}/waiting-list`, waitingBody(body))
}

/** The token of the newest link in the emails to an address. */
export function tokenIn({ text }: OutgoingMail): string {
  const [, token = ''] = /\/waiting\/([\w.-]+)/.exec(text) ?? []
  return token
}

/** Puts somebody on the list who reads the address, and gives the token of their place. */
export async function joinAndConfirm(
  meridian: TestMeridian,
  slug: string,
  body: Record<string, unknown> & { email: string },
): Promise<string> {
  const token = await joinAndRead(meridian, slug, body)
  await confirm(meridian, token)
  return token
}

/** Puts somebody on the list who asked when nothing was free, so that everything that is free now is offered to them. */
export async function joinWhenFull(
  meridian: TestMeridian,
  slug: string,
  body: Record<string, unknown> & { email: string },
): Promise<string> {
  const token = await joinAndRead(meridian, slug, body)
  const askedBefore = 'update waiting_entries set look_no = 0 where customer_email = $1'
  await meridian.database.execute(askedBefore, [body.email])
  await confirm(meridian, token)
  return token
}

/** Asks for a place, and gives the token in the email that asks to confirm it. */
async function joinAndRead(
  meridian: TestMeridian,
  slug: string,
  body: Record<string, unknown> & { email: string },
): Promise<string> {
  // The clock of the tests stands still, and nobody joins at the same moment.
  meridian.clock.ms += 1
  expect((await join(meridian, slug, body)).statusCode).toBe(202)
  const mail = await meridian.waitForMail(
    ({ to, subject }) => to.address === body.email && subject.startsWith('Confirm your place'),
  )
  return tokenIn(mail)
}

async function confirm(meridian: TestMeridian, token: string): Promise<void> {
  const confirmed = await answer(meridian, token, 'confirmation')
  expect(confirmed.statusCode, confirmed.body).toBe(200)
}

/** Waits until no look is queued: one that was asked for before would find what is freed next. */
export async function finishLooks({ database: { db } }: TestMeridian): Promise<void> {
  await waitUntil(async () => {
    const { rows } = await sql`
      select from pgboss.job where name = ${WAITING_LIST_SCAN.name} and state <> 'completed'
    `.execute(db)
    return rows.length === 0
  })
}

/** The email with the offer of one time to one address. */
export function waitForOffer(meridian: TestMeridian, email: string, except = ''): Promise<OutgoingMail> {
  return meridian.waitForMail(
    (mail) =>
      mail.to.address === email && mail.subject.startsWith('A time is free') && mail.messageId !== except,
  )
}

export function answer(
  meridian: TestMeridian,
  token: string,
  what: 'confirmation' | 'acceptance' | 'refusal' | 'departure',
  payload: Record<string, unknown> = {},
): Promise<LightMyRequestResponse> {
  const url = `/api/public/waiting-list/${token}/${what}`
  return meridian.request({ method: 'POST', url, ...(what === 'acceptance' && { payload }) })
}

export async function view(meridian: TestMeridian, token: string): Promise<WaitingView> {
  return (await meridian.get(`/api/public/waiting-list/${token}`)).json()
}

export async function listWaiting(
  meridian: TestMeridian,
  owner: TestOwner,
  calendar: Calendar,
  show: 'waiting' | 'ended' = 'waiting',
): Promise<WaitingListResponse> {
  return (await meridian.as(owner).get(`/api/calendars/${calendar.id}/waiting-list?show=${show}`)).json()
}
