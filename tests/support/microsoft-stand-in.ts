import { randomBytes } from 'node:crypto'
import { buildMicrosoftProvider, type MicrosoftProvider } from '#server/integrations/microsoft/adapter.ts'
import { calendarIdOf } from '#server/integrations/microsoft/sandbox/world.ts'
import { type MicrosoftSandbox, startMicrosoftSandbox } from '#server/integrations/microsoft/sandbox.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CalendarAccess, ConnectedCalendarAccount } from '#server/ports/external-calendar.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'
import type { CalendarWorld } from './calendar-provider-contract.ts'
import { makeAccess, toForm } from './google-stand-in.ts'
import { post } from './post-form.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

const EMAIL = 'grace@outlook.example'
const REDIRECT_URI = 'https://meridian.example/api/calendar-connections/callback/microsoft'
export const MICROSOFT_NOTIFY_URL = 'https://meridian.example/api/webhooks/microsoft-calendar'

export type MicrosoftConsent = {
  readonly email?: string
  readonly access?: 'read' | 'write'
  readonly decision?: 'accept' | 'cancel'
}

export type MicrosoftStandIn = {
  readonly sandbox: MicrosoftSandbox
  readonly provider: MicrosoftProvider
  /** What the stand-in and the adapter take for the present. */
  readonly clock: { ms: number }
  /** Every notification, in order. */
  readonly notifications: readonly WebhookRequest[]
  /** A person decides on the consent page; answers where it leads the browser, and what the code is worth. */
  readonly decide: (
    consent?: MicrosoftConsent,
  ) => Promise<{ back: URL; redeem: () => Promise<ConnectedCalendarAccount> }>
  /** A person accepts, in a mailbox whose zone is Europe/Berlin. */
  readonly connect: (consent?: MicrosoftConsent) => Promise<ConnectedCalendarAccount>
  /** Presses the button at the end of a form on the page of an account. */
  readonly press: (email: string, path: string, fields: Readonly<Record<string, string>>) => Promise<Response>
  readonly stop: () => Promise<void>
}

/** The adapter and the stand-in of Microsoft, with a person who presses its buttons and a webhook that keeps everything. */
export async function startMicrosoftStandIn(db: Db): Promise<MicrosoftStandIn> {
  const clock = { ms: Date.parse('2027-01-04T08:00:00Z') }
  const receiver = await startWebhookReceiver()
  const sandbox = await startMicrosoftSandbox({ db, now: () => clock.ms, reach: () => receiver.url })
  const provider = buildMicrosoftProvider({ ...sandbox.settings, timeoutMs: 5_000 })
  const press = (email: string, path: string, fields: Readonly<Record<string, string>>) =>
    post(`${sandbox.settings.sandboxUrl}/calendar/${encodeURIComponent(email)}${path}`, fields)
  const decide = async ({ email = EMAIL, access = 'write', decision = 'accept' }: MicrosoftConsent = {}) => {
    const codeVerifier = randomBytes(32).toString('base64url')
    const request = { state: 'the state', codeVerifier, redirectUri: REDIRECT_URI, access, accountName: null }
    const answer = await post(provider.authorization.buildAuthorizationUrl(request), { email, decision })
    const back = new URL(answer.headers.get('location') ?? '')
    const code = back.searchParams.get('code') ?? ''
    return { back, redeem: () => provider.authorization.completeAuthorization({ ...request, code }) }
  }
  return {
    sandbox,
    provider,
    clock,
    notifications: receiver.webhooks,
    press,
    decide,
    connect: async (consent = {}) => {
      const { email = EMAIL } = consent
      const account = await (await decide(consent)).redeem()
      await press(email, `/${encodeURIComponent(calendarIdOf(email, 'Calendar'))}`, {
        action: 'zone',
        time_zone: 'Europe/Berlin',
      })
      return account
    },
    stop: async () => {
      await sandbox.stop()
      await receiver.stop()
    },
  }
}

export type MicrosoftWorld = CalendarWorld & {
  readonly standIn: MicrosoftStandIn
  readonly email: string
  readonly access: CalendarAccess & { readonly saved: string[] }
}

/** An account of its own at the stand-in, as the contract suite needs it. */
export async function openMicrosoftWorld(standIn: MicrosoftStandIn, email: string): Promise<MicrosoftWorld> {
  const { credentials } = await standIn.connect({ email })
  const access = makeAccess(credentials)
  const externalId = calendarIdOf(email, 'Calendar')
  const path = `/${encodeURIComponent(externalId)}/events`
  const switchOn = (fields: Readonly<Record<string, string>>) => async () => {
    await standIn.press(email, '/faults', { rate_limit: 'off', ...fields })
  }
  /** Every event that the calendar has. */
  const listIds = async () => {
    const window = { startMs: Date.parse('2026-01-01T00:00:00Z'), endMs: Date.parse('2030-01-01T00:00:00Z') }
    const calendar = { externalId, timeZone: 'Europe/Berlin' }
    const ids: string[] = []
    for await (const { changes } of standIn.provider.readChanges(access, {
      calendar,
      cursor: null,
      window,
    })) {
      ids.push(...changes.map(({ eventId }) => eventId))
    }
    return ids
  }
  return {
    standIn,
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
