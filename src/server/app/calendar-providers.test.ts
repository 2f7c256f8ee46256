import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import { makeCalendarAccess } from '#tests/support/calendar-access.ts'
import { submitConsent } from '#tests/support/calendar-stand-in.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { GOOGLE_NOTIFY_URL } from '#tests/support/google-stand-in.ts'
import { waitFor } from '#tests/support/meridian.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { type Config, readConfig } from './config.ts'
import { startCalendarProviders } from './start-providers.ts'

const KEYS = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
const REQUEST = {
  state: 'state',
  codeVerifier: 'v'.repeat(43),
  redirectUri: 'http://localhost:3000/api/calendar-connections/callback/google',
  access: 'read',
  accountName: null,
} as const

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const app = fastify()
const start = (config: Config) =>
  startCalendarProviders(config, { db: database.db, now: Date.now, app: () => app })
const consentUrlOf = (provider: CalendarProvider | undefined) =>
  provider?.authorization?.buildAuthorizationUrl(REQUEST)

test('without keys there is neither Google nor Microsoft in production', async () => {
  const { providers } = await start({ ...readConfig({}), sandbox: false })
  expect(Object.keys(providers)).toEqual(['caldav', 'ics'])
})

test('an address that an owner types leads into the internet only, and on a developer’s machine to it as well', async () => {
  const typed = { kind: 'address', url: `http://127.0.0.1:${await findFreePort()}/calendar.ics` } as const
  const connect = async (config: Config) => (await start(config)).providers.ics?.connect?.(typed)
  await expect(connect({ ...readConfig(KEYS), allowedNetworks: [] })).rejects.toMatchObject({
    kind: 'address_refused',
  })
  await expect(connect(readConfig(KEYS))).rejects.toMatchObject({ kind: 'unavailable' })
})

test('with keys owners are sent to Google itself, on a developer’s machine too', async () => {
  const { providers, stop } = await start(readConfig(KEYS))
  expect(consentUrlOf(providers.google)).toMatch(
    /^https:\/\/accounts\.google\.com\/o\/oauth2\/v2\/auth\?.*client_id=id&/,
  )
  expect(providers.google).toMatchObject({ isSandbox: false })
  expect(providers.google).not.toHaveProperty('sandboxPage')
  await stop()
})

test('with keys owners are sent to Microsoft itself, for accounts of any kind', async () => {
  const { providers, stop } = await start(
    readConfig({ MICROSOFT_CLIENT_ID: 'id', MICROSOFT_CLIENT_SECRET: 'secret' }),
  )
  expect(consentUrlOf(providers.microsoft)).toMatch(
    /^https:\/\/login\.microsoftonline\.com\/common\/oauth2\/v2\.0\/authorize\?.*client_id=id&.*scope=offline_access\+User\.Read\+MailboxSettings\.Read\+Calendars\.Read&/,
  )
  expect(providers.microsoft).toMatchObject({ isSandbox: false })
  expect(providers.microsoft).not.toHaveProperty('sandboxPage')
  await stop()
})

test('without them a developer has a stand-in of Microsoft', async () => {
  const { providers, stop } = await start(readConfig({}))
  expect(providers.microsoft).toMatchObject({ isSandbox: true })
  const page = await fetch(providers.microsoft?.sandboxPage ?? '')
  expect(await page.text()).toContain('Email address of a new Microsoft account')
  await stop()
})

test('without them a developer has a stand-in, which notifies the product wherever it listens', async () => {
  const received: unknown[] = []
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: unknown) => body)
  app.post('/api/webhooks/google-calendar', async ({ headers }) => {
    received.push(headers)
    return ''
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { providers, stop } = await start(readConfig({}))
  const { google } = providers
  expect(google?.isSandbox).toBe(true)
  expect(google?.sandboxPage).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/calendar$/)
  if (google?.sandboxPage === undefined) throw new Error('there is no stand-in')
  const { redeem } = await submitConsent(google, REQUEST.redirectUri, { email: 'grace@gmail.example' })
  const { credentials, accountName } = await redeem()
  const request = {
    externalId: accountName,
    channelId: 'channel-1',
    secret: 'secret',
    notifyUrl: GOOGLE_NOTIFY_URL,
  }
  await google.push?.subscribe(makeCalendarAccess(credentials), request)
  expect(await waitFor(() => received[0])).toMatchObject({
    'x-goog-channel-id': 'channel-1',
    'x-goog-resource-state': 'sync',
  })
  await stop()
  await app.close()
})
