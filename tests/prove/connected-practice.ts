import { buildLazyGoogleProvider } from '#server/integrations/google/lazy-provider.ts'
import { systemClock } from '#server/platform/clock.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import {
  readExternalCalendars,
  returnFromProvider,
  startConnecting,
} from '#tests/support/connected-calendar.ts'
import { submitConsentPage } from '#tests/support/decide.ts'
import { makeCalendar, makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import type { GoogleSandboxSettings } from './google-stand-in.ts'

/** The slugs of calendars that open on weekdays from 09:00 to 17:00 UTC. */
export type ConnectedPractice = {
  /** Calendars without an external calendar. */
  readonly plainSlugs: readonly string[]
  /** Calendars that read the account's main calendar and write their appointments to it. */
  readonly connectedSlugs: readonly string[]
}

type Settings = Readonly<Record<string, string>> & { readonly DATABASE_URL: string }

/**
 * Makes one owner with two calendars of each kind, connected on the provider's page as owners do it. Processes started later read
 * the data stored here, so they need the same `settings`.
 */
export async function makeConnectedPractice(
  settings: Settings,
  standIn: GoogleSandboxSettings,
  account: string,
): Promise<ConnectedPractice> {
  const database = await openDatabase({ url: settings.DATABASE_URL, dataDir: 'not used', poolSize: 4 })
  const google = buildLazyGoogleProvider({ ...standIn, now: systemClock })
  const meridian = await startMeridian({
    database,
    env: { ...settings, ROLE: 'web' },
    calendarProviders: { google },
  })
  meridian.clock.ms = Date.now()
  const owner = await makeOwner(meridian)
  const calendars: { id: string; slug: string }[] = []
  for (let i = 0; i < 4; i += 1) {
    calendars.push(await makeCalendar(meridian, owner, { timezone: 'UTC' }))
  }
  const [first, second, ...plain] = calendars
  if (first === undefined || second === undefined) throw new Error('four calendars became fewer')
  await connect(meridian, { owner, calendarId: first.id }, account)
  await shareAccount(meridian, { owner, from: first.id, to: second.id })
  await meridian.stop()
  return { plainSlugs: plain.map(({ slug }) => slug), connectedSlugs: [first.slug, second.slug] }
}

type Owned = { readonly owner: Awaited<ReturnType<typeof makeOwner>>; readonly calendarId: string }

async function connect(meridian: TestMeridian, owned: Owned, account: string): Promise<void> {
  const page = await startConnecting(meridian, owned, { access: 'write' })
  const back = await submitConsentPage(page.href, { email: account })
  const answer = await returnFromProvider(meridian, owned.owner.cookie, Object.fromEntries(back.searchParams))
  if (answer.headers.location?.includes('success') !== true) throw new Error(`${answer.headers.location}`)
}

/** Lets another calendar of the owner use the account without another login. */
async function shareAccount(
  meridian: TestMeridian,
  { owner, from, to }: Pick<Owned, 'owner'> & { readonly from: string; readonly to: string },
): Promise<void> {
  const { connections } = await readExternalCalendars(meridian, { owner, calendarId: from })
  const main = connections.flatMap(({ calendars }) => calendars).find(({ is_primary }) => is_primary)
  if (main === undefined || !main.writes_events) throw new Error('the main calendar is not written to')
  const answer = await owner.put(`/api/calendars/${to}/external-calendars/choice`, {
    reads: [main.id],
    writes: main.id,
  })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}
