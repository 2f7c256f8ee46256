import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { CustomerWaitingRequest, WaitingListResponse } from '#contract/waiting-list/waiting-list.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { WAITING_LIST_SCAN_JOB } from '#server/records/freed-times/use-cases.ts'
import type { TestMeridian, TestOwner } from './meridian.ts'
import { waitUntil } from './race-track.ts'

/** A request for a place on the waiting list: any time in the three weeks from Monday, 4 January 2027. */
export function makeWaitingRequestBody(body: Record<string, unknown> = {}): Record<string, unknown> {
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

export function joinWaitingList(
  meridian: TestMeridian,
  slug: string,
  body: Record<string, unknown> = {},
): Promise<LightMyRequestResponse> {
  return meridian.post(`/api/public/calendars/${slug}/waiting-list`, makeWaitingRequestBody(body))
}

/** Finds the token of the waiting-list link in an email. */
export function tokenInWaitingListEmail({ text }: OutgoingMail): string {
  const [, token = ''] = /\/waiting\/([\w.-]+)/.exec(text) ?? []
  return token
}

/** Adds a person to the waiting list and confirms their email address. Returns the token of their place. */
export async function joinWaitingListAndConfirm(
  meridian: TestMeridian,
  slug: string,
  body: Record<string, unknown> & { email: string },
): Promise<string> {
  const token = await joinAndRead(meridian, slug, body)
  await confirm(meridian, token)
  return token
}

/**
 * Adds a person to the waiting list as if no time had been free when they asked, so that every time that is free now is offered
 * to them.
 */
export async function joinFullyBookedCalendar(
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

/** Requests a place on the list. Returns the token in the confirmation email. */
async function joinAndRead(
  meridian: TestMeridian,
  slug: string,
  body: Record<string, unknown> & { email: string },
): Promise<string> {
  // The tests' clock stands still, but no two people join at the same moment.
  meridian.clock.ms += 1
  expect((await joinWaitingList(meridian, slug, body)).statusCode).toBe(202)
  const mail = await meridian.waitForMail(
    ({ to, subject }) => to.address === body.email && subject.startsWith('Confirm your place'),
  )
  return tokenInWaitingListEmail(mail)
}

async function confirm(meridian: TestMeridian, token: string): Promise<void> {
  const confirmed = await respondToOffer(meridian, token, 'confirmation')
  expect(confirmed.statusCode, confirmed.body).toBe(200)
}

/** Waits until no scan of the waiting list is queued: an earlier scan would already find the times that the test frees next. */
export async function waitUntilScansFinish({ database: { db } }: TestMeridian): Promise<void> {
  await waitUntil(async () => {
    const { rows } = await sql`
      select from pgboss.job where name = ${WAITING_LIST_SCAN_JOB.name} and state <> 'completed'
    `.execute(db)
    return rows.length === 0
  })
}

/** Waits for the email that offers a time to an address. `except`: the id of an earlier offer to ignore. */
export function waitForOffer(meridian: TestMeridian, email: string, except = ''): Promise<OutgoingMail> {
  return meridian.waitForMail(
    (mail) =>
      mail.to.address === email && mail.subject.startsWith('A time is free') && mail.messageId !== except,
  )
}

export function respondToOffer(
  meridian: TestMeridian,
  token: string,
  what: 'confirmation' | 'acceptance' | 'refusal' | 'departure',
  payload: Record<string, unknown> = {},
): Promise<LightMyRequestResponse> {
  const url = `/api/public/waiting-list/${token}/${what}`
  return meridian.request({ method: 'POST', url, ...(what === 'acceptance' && { payload }) })
}

export async function getWaitingRequest(
  meridian: TestMeridian,
  token: string,
): Promise<CustomerWaitingRequest> {
  return (await meridian.get(`/api/public/waiting-list/${token}`)).json()
}

export async function listWaitingListEntries(
  meridian: TestMeridian,
  owner: TestOwner,
  calendar: Calendar,
  show: 'waiting' | 'ended' = 'waiting',
): Promise<WaitingListResponse> {
  return (await meridian.as(owner).get(`/api/calendars/${calendar.id}/waiting-list?show=${show}`)).json()
}
