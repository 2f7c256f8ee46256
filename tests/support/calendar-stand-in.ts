import { randomBytes, randomUUID } from 'node:crypto'
import { addDays, localDateOf, localTimeOf } from '#core/shared/zoned-time.ts'
import type { CalendarSandbox, CalendarSandboxOptions } from '#sandbox/calendars/start-calendar-sandbox.ts'
import type { Db } from '#server/platform/db/database.ts'
import type {
  CalendarProvider,
  ConnectedCalendarAccount,
  WritableCalendarProvider,
} from '#server/ports/external-calendar.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'
import { makeCalendarAccess } from './calendar-access.ts'
import type { EventAddedByPerson, ProviderTestAccount } from './calendar-provider-contract.ts'
import { type ConsentDecision, submitConsentPage } from './decide.ts'
import { postForm } from './post-form.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

const ZONE = 'Europe/Berlin'

/**
 * A calendar sandbox and an adapter connected to it, with functions that press the buttons of a person and a webhook that records
 * every notification.
 */
export type CalendarSandboxWithAdapter = {
  readonly sandbox: CalendarSandbox
  readonly provider: WritableCalendarProvider
  /** The current time of the sandbox and the adapter. */
  readonly clock: { ms: number }
  /** Every notification received so far, oldest first. */
  readonly notifications: readonly WebhookRequest[]
  readonly mainIdOf: (email: string) => string
  /**
   * A person answers the consent page. Returns the URL to which the browser is redirected, and the result of redeeming the code.
   */
  readonly decide: (consent?: ConsentOptions) => Promise<Decided>
  /** A person grants access to an account whose calendar is in Europe/Berlin. */
  readonly connect: (consent?: ConsentOptions) => Promise<ConnectedCalendarAccount>
  /** Submits a form on an account's page. */
  readonly press: (email: string, path: string, fields: Readonly<Record<string, string>>) => Promise<Response>
  readonly stop: () => Promise<void>
}

export type ConsentOptions = Partial<ConsentDecision> & { readonly access?: 'read' | 'write' }

type Decided = { readonly back: URL; readonly redeem: () => Promise<ConnectedCalendarAccount> }

type StandInParts = {
  readonly startSandbox: (options: CalendarSandboxOptions) => Promise<CalendarSandbox>
  readonly buildProvider: (settings: CalendarSandbox['settings']) => WritableCalendarProvider
  /** The person who decides, unless a test names another. */
  readonly email: string
  readonly redirectUri: string
  /** Returns the provider's id of an account's main calendar. */
  readonly mainIdOf: (email: string) => string
}

export async function startCalendarSandboxWithAdapter(
  db: Db,
  { startSandbox, buildProvider, email: person, redirectUri, mainIdOf }: StandInParts,
): Promise<CalendarSandboxWithAdapter> {
  const clock = { ms: Date.parse('2027-01-04T08:00:00Z') }
  const receiver = await startWebhookReceiver()
  const sandbox = await startSandbox({ db, now: () => clock.ms, reach: () => receiver.url })
  const provider = buildProvider(sandbox.settings)
  const press = (email: string, path: string, fields: Readonly<Record<string, string>>) =>
    postForm(`${sandbox.settings.sandboxUrl}/calendar/${encodeURIComponent(email)}${path}`, fields)
  const decideHere = (consent: ConsentOptions = {}) =>
    submitConsent(provider, redirectUri, { email: person, ...consent })
  return {
    sandbox,
    provider,
    clock,
    notifications: receiver.webhooks,
    mainIdOf,
    press,
    decide: decideHere,
    connect: async (consent = {}) => {
      const { email = person } = consent
      const account = await (await decideHere(consent)).redeem()
      await press(email, `/${encodeURIComponent(mainIdOf(email))}`, { action: 'zone', time_zone: ZONE })
      return account
    },
    stop: async () => {
      await sandbox.stop()
      await receiver.stop()
    },
  }
}

/**
 * Answers a provider's consent page. Returns the URL to which the browser is redirected, and the result of redeeming the code.
 */
export async function submitConsent(
  { authorization }: CalendarProvider,
  redirectUri: string,
  { access = 'write', ...decision }: ConsentDecision & Pick<ConsentOptions, 'access'>,
): Promise<Decided> {
  if (authorization === null) throw new Error('there is no consent page')
  const codeVerifier = randomBytes(32).toString('base64url')
  const request = { state: 'the state', codeVerifier, redirectUri, access, accountName: null }
  const back = await submitConsentPage(authorization.buildAuthorizationUrl(request), decision)
  const code = back.searchParams.get('code') ?? ''
  return { back, redeem: () => authorization.completeAuthorization({ ...request, code }) }
}

/** An account at a sandbox, as the contract tests need it. */
export type SandboxTestAccount = ProviderTestAccount & {
  readonly provider: WritableCalendarProvider
  readonly email: string
  readonly access: ReturnType<typeof makeCalendarAccess>
}

/** Opens a separate account at the sandbox. */
export async function openSandboxTestAccount(
  standIn: CalendarSandboxWithAdapter,
  email: string,
): Promise<SandboxTestAccount> {
  const { credentials } = await standIn.connect({ email })
  const access = makeCalendarAccess(credentials)
  const externalId = standIn.mainIdOf(email)
  const path = `/${encodeURIComponent(externalId)}/events`
  const switchOn = (fields: Readonly<Record<string, string>>) => async () => {
    await standIn.press(email, '/faults', { rate_limit: 'off', ...fields })
  }
  /** Returns the ids of all events in the calendar. */
  const listIds = async () => {
    const window = { startMs: Date.parse('2026-01-01T00:00:00Z'), endMs: Date.parse('2030-01-01T00:00:00Z') }
    const calendar = { externalId, timeZone: ZONE, readerZones: [ZONE] as const }
    const ids: string[] = []
    for await (const page of standIn.provider.readChanges(access, { calendar, cursor: null, window })) {
      ids.push(...page.changes.map(({ eventId }) => eventId))
    }
    return ids
  }
  return {
    email,
    provider: standIn.provider,
    access,
    externalId,
    addEvent: async (event) => {
      const before = await listIds()
      const answer = await standIn.press(email, path, toForm(event))
      if (answer.status !== 303) throw new Error(await answer.text())
      return (await listIds()).find((id) => !before.includes(id)) ?? ''
    },
    // The sandbox's page has no field for our property, so the adapter creates the event.
    addClaim: async (appointmentId, { startsAt, endsAt }) => {
      const appointment = {
        ...{
          appointmentId,
          secret: randomUUID(),
          timeZone: ZONE,
          title: 'Copied',
          description: '',
          location: null,
        },
        ...{ startMs: Date.parse(startsAt), endMs: Date.parse(endsAt) },
        ...{ url: 'https://meridian.example/', icalUid: `${appointmentId}@meridian.example`, sequence: 0 },
      }
      return (await standIn.provider.events.create(access, externalId, appointment)).eventRef
    },
    moveEvent: async (id, time) => {
      await standIn.press(email, `${path}/${encodeURIComponent(id)}`, { action: 'move', ...toForm(time) })
    },
    deleteEvent: async (id) => {
      await standIn.press(email, `${path}/${encodeURIComponent(id)}`, { action: 'delete_series' })
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

/** The form fields that a person in Berlin fills in. */
function toForm(event: EventAddedByPerson): Record<string, string> {
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
