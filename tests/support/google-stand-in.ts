import { randomBytes } from 'node:crypto'
import { addDays, localDateOf, localTimeOf } from '#core/shared/zoned-time.ts'
import { buildGoogleProvider, type GoogleProvider } from '#server/integrations/google/adapter.ts'
import { type GoogleSandbox, startGoogleSandbox } from '#server/integrations/google/sandbox.ts'
import type { Db } from '#server/platform/db/database.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
  type ConnectedCalendarAccount,
} from '#server/ports/external-calendar.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'
import type { CalendarWorld, PersonsEvent } from './calendar-provider-contract.ts'
import { post } from './post-form.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

const ZONE = 'Europe/Berlin'
const EMAIL = 'grace@gmail.example'
export const REDIRECT_URI = 'https://meridian.example/api/calendar-connections/callback/google'
export const NOTIFY_URL = 'https://meridian.example/api/webhooks/google-calendar'

export type GoogleStandIn = {
  readonly sandbox: GoogleSandbox
  readonly provider: GoogleProvider
  /** What the stand-in and the adapter take for the present. */
  readonly clock: { ms: number }
  /** Every notification, in order. */
  readonly notifications: readonly WebhookRequest[]
  /** A person allows the access, in a calendar whose zone is Europe/Berlin. */
  readonly connect: (consent?: Consent) => Promise<ConnectedCalendarAccount>
  /** Presses the button at the end of a form on the page of an account. */
  readonly press: (email: string, path: string, fields: Readonly<Record<string, string>>) => Promise<Response>
  readonly stop: () => Promise<void>
}

export type Consent = {
  readonly email?: string
  readonly access?: 'read' | 'write'
  /** Scopes without their address, `calendar.events.owned`. */
  readonly unticked?: readonly string[]
  readonly decision?: 'allow' | 'cancel'
}

/** The adapter and the stand-in of Google, with a person who presses its buttons and a webhook that keeps everything. */
export async function startGoogleStandIn(db: Db): Promise<GoogleStandIn> {
  const clock = { ms: Date.parse('2027-01-04T08:00:00Z') }
  const now = () => clock.ms
  const receiver = await startWebhookReceiver()
  const sandbox = await startGoogleSandbox({ db, now, reach: () => receiver.url })
  const provider = buildGoogleProvider({ ...sandbox.settings, timeoutMs: 2_000 })
  const press = (email: string, path: string, fields: Readonly<Record<string, string>>) =>
    post(`${sandbox.settings.sandboxUrl}/calendar/${encodeURIComponent(email)}${path}`, fields)
  return {
    sandbox,
    provider,
    clock,
    notifications: receiver.webhooks,
    press,
    connect: async (consent = {}) => {
      const { email = EMAIL } = consent
      const account = await connectThrough(provider, consent)
      await press(email, `/${encodeURIComponent(email)}`, { action: 'zone', time_zone: ZONE })
      return account
    },
    stop: async () => {
      await sandbox.stop()
      await receiver.stop()
    },
  }
}

/** A person allows the access, and the code becomes an account. */
export async function connectThrough(
  { authorization }: CalendarProvider,
  consent: Consent = {},
): Promise<ConnectedCalendarAccount> {
  if (authorization === null) throw new Error('there is no consent page')
  const codeVerifier = randomBytes(32).toString('base64url')
  const { access = 'write' } = consent
  const request = { state: 'the state', codeVerifier, redirectUri: REDIRECT_URI, access, accountName: null }
  const back = await decide(authorization.buildAuthorizationUrl(request), consent)
  const code = back.searchParams.get('code') ?? ''
  return authorization.completeAuthorization({ ...request, code })
}

/** What a person decides on the consent page; answers where it leads the browser. */
export async function decide(
  consentUrl: string,
  { email = EMAIL, unticked = [], decision = 'allow' }: Consent,
): Promise<URL> {
  const page = await (await fetch(consentUrl)).text()
  const boxes = [...page.matchAll(/type="checkbox" name="([^"]+)"/g)].map(([, name = '']) => name)
  const ticked = boxes.filter((name) => !unticked.includes(name)).map((name) => [name, 'on'])
  const answer = await post(consentUrl, { email, decision, ...Object.fromEntries(ticked) })
  return new URL(answer.headers.get('location') ?? '')
}

/** Access that keeps what is renewed, as the connection's row does. */
export function makeAccess(credentials: string): CalendarAccess & { readonly saved: string[] } {
  const saved: string[] = []
  return {
    credentials,
    saved,
    saveCredentials: async (renewed) => {
      saved.push(renewed)
      return renewed
    },
  }
}

/** The error with which something at Google fails. */
export async function calendarFailureOf(work: Promise<unknown>): Promise<CalendarProviderError> {
  const error: unknown = await work.then(
    () => null,
    (reason) => reason,
  )
  if (error instanceof CalendarProviderError) return error
  throw new Error('it did not fail as a provider does', { cause: error })
}

export type GoogleWorld = CalendarWorld & { readonly provider: GoogleProvider; readonly email: string }

/** An account of its own at the stand-in, as the contract suite needs it. */
export async function openGoogleWorld(standIn: GoogleStandIn, email: string): Promise<GoogleWorld> {
  const { credentials } = await standIn.connect({ email })
  const access = makeAccess(credentials)
  const path = `/${encodeURIComponent(email)}/events`
  const switchOn = (fields: Readonly<Record<string, string>>) => async () => {
    await standIn.press(email, '/faults', { rate_limit: 'off', ...fields })
  }
  return {
    email,
    provider: standIn.provider,
    access,
    externalId: email,
    addEvent: async (event) => {
      const before = await listIds(standIn, access, email)
      const answer = await standIn.press(email, path, toForm(event))
      if (answer.status !== 303) throw new Error(await answer.text())
      const added = (await listIds(standIn, access, email)).filter((id) => !before.includes(id))
      return added[0] ?? ''
    },
    moveEvent: async (id, time) => {
      await standIn.press(email, `${path}/${id}`, { action: 'move', ...toForm(time) })
    },
    deleteEvent: async (id) => {
      await standIn.press(email, `${path}/${id}`, { action: 'delete_series' })
    },
    faults: {
      cursor_lost: switchOn({ loses_cursors: 'on' }),
      expired: switchOn({ revoked: 'on' }),
      rate_limited: switchOn({ rate_limit: '429_with_retry_after' }),
      unavailable: switchOn({ failing: 'on' }),
    },
    heal: switchOn({}),
    stop: async () => {},
  }
}

/** Every event that the calendar has, in the order of their ids. */
async function listIds(standIn: GoogleStandIn, access: CalendarAccess, email: string): Promise<string[]> {
  const window = { startMs: Date.parse('2026-01-01T00:00:00Z'), endMs: Date.parse('2032-01-01T00:00:00Z') }
  const calendar = { externalId: email, timeZone: ZONE }
  const ids: string[] = []
  for await (const page of standIn.provider.readChanges(access, { calendar, cursor: null, window })) {
    ids.push(...page.changes.map(({ eventId }) => eventId))
  }
  return ids
}

/** What a person in Berlin types. */
function toForm(event: PersonsEvent): Record<string, string> {
  const { title, startsAt, endsAt, isAllDay, isFree, isDeclined, isTentative, repeats } = event
  const [, frequency = '', times = ''] = /^FREQ=(DAILY|WEEKLY);COUNT=(\d+)$/.exec(repeats ?? '') ?? []
  if (repeats !== undefined && frequency === '') throw new Error(`nobody can type ${repeats}`)
  return {
    ...(isAllDay
      ? { start: `${startsAt}T00:00`, end: `${addDays(endsAt, -1)}T00:00`, all_day: 'on' }
      : { start: toClock(startsAt), end: toClock(endsAt) }),
    ...(title === undefined ? {} : { title }),
    ...(isFree ? { shows_as: 'free' } : {}),
    ...(isDeclined ? { answer: 'declined' } : {}),
    ...(isTentative ? { answer: 'tentative' } : {}),
    ...(frequency === '' ? {} : { repeats: frequency.toLowerCase(), times }),
  }
}

function toClock(instant: string): string {
  const epochMs = Date.parse(instant)
  return `${localDateOf(epochMs, ZONE)}T${localTimeOf(epochMs, ZONE).slice(0, 5)}`
}
