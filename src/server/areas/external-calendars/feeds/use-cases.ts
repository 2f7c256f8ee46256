import { createHash, randomBytes } from 'node:crypto'
import type { CalendarFeed } from '#contract/external-calendars/feeds.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import {
  MOST_NAMES,
  toAppointmentEvent,
} from '#server/areas/external-calendars/events/to-appointment-event.ts'
import { buildCalendarFeed } from '#server/messages/emails/calendar-file.ts'
import type { MailOrigin } from '#server/messages/emails/mail-origin.ts'
import { toMailFacts } from '#server/messages/emails/to-mail-facts.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import {
  type AppointmentRange,
  findAppointmentRangeVersion,
  listDetailsInRange,
} from '#server/records/appointments/details-repository.ts'
import { getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import type { AddressSettings } from '#server/records/hostnames/to-calendar-address.ts'
import {
  type CalendarFeedRow,
  deleteFeed,
  findEncryptedFeedToken,
  findFeed,
  replaceFeed,
} from './repository.ts'

export type CalendarFeedsDeps = AddressSettings & {
  readonly db: Db
  readonly secrets: SecretBox
  readonly origin: MailOrigin
}

/** Length of a token in bytes: enough to rule out guessing. */
const TOKEN_BYTES = 32

/**
 * Returns the secret feed URL of one of the owner's calendars. Source: rule G22.
 * @throws ProblemError `calendar.*`
 */
export async function getCalendarFeed(
  deps: CalendarFeedsDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<CalendarFeed> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const sealed = await findEncryptedFeedToken(deps.db, calendarId)
  const token = sealed === null ? null : readToken(deps, sealed, calendarId)
  return { url: token === null ? null : toFeedUrl(deps.baseUrl, token) }
}

/**
 * Decrypts a token. Returns null when it was encrypted with an earlier key of the installation; the owner can then
 * create a new URL.
 */
function readToken({ secrets }: CalendarFeedsDeps, sealed: Buffer, calendarId: string): string | null {
  try {
    return secrets.open(sealed, toFeedTokenPurpose(calendarId))
  } catch {
    return null
  }
}

/**
 * Creates a new secret URL. The previous one stops working. Source: rule G22.
 * @throws ProblemError `calendar.*`
 */
export async function createCalendarFeed(
  deps: CalendarFeedsDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<CalendarFeed> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const sealedToken = deps.secrets.seal(token, toFeedTokenPurpose(calendarId))
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    const createdAt = new Date(deps.now())
    await replaceFeed(trx, calendarId, { tokenHash: hashOf(token), sealedToken, createdAt })
  })
  return { url: toFeedUrl(deps.baseUrl, token) }
}

/**
 * Revokes the secret URL.
 * @throws ProblemError `calendar.*`
 */
export async function revokeCalendarFeed(
  deps: CalendarFeedsDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<CalendarFeed> {
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    await deleteFeed(trx, calendarId)
  })
  return { url: null }
}

/** Removes the secret URLs of these calendars. */
export async function deleteCalendarFeeds(trx: Trx, calendarIds: readonly string[]): Promise<void> {
  for (const calendarId of calendarIds) await deleteFeed(trx, calendarId)
}

/** The response for a polling client; `content` is null when its version is current. */
type FeedAnswer = { readonly etag: string; readonly content: string | null }

/** How far back and ahead the feed goes, in days, and the maximum number of appointments in it. */
const DAYS_BACK = 90
const DAYS_AHEAD = 730
const MOST_ENTRIES = 5_000
/** The version of the format, as a part of the ETag: the same appointments in a new format are a different file. */
const FORMAT = 2

/**
 * Returns the appointments of a calendar as an iCalendar file. A client that has the current version gets no content.
 * The file contains no more data about customers than the events in the owner's external calendar. Source: rule G22.
 * @throws ProblemError `feed.not_found`
 */
export async function readCalendarFeed(
  deps: CalendarFeedsDeps,
  { token, knownEtag }: { readonly token: string; readonly knownEtag: string | null },
): Promise<FeedAnswer> {
  const feed = await findFeed(deps.db, hashOf(token))
  if (feed === null) throw new ProblemError('feed.not_found')
  // The period runs from midnight to midnight UTC, so that the file stays the same all day.
  const today = Math.floor(deps.now() / DAY_MS)
  const stretch: AppointmentRange = {
    calendarId: feed.calendarId,
    from: new Date((today - DAYS_BACK) * DAY_MS),
    until: new Date((today + DAYS_AHEAD) * DAY_MS),
  }
  const version = await findAppointmentRangeVersion(deps.db, stretch)
  const etag = `"${hashOf(JSON.stringify([FORMAT, feed, stretch, version])).slice(0, 32)}"`
  return { etag, content: etag === knownEtag ? null : await build(deps, feed, stretch) }
}

async function build(
  deps: CalendarFeedsDeps,
  feed: CalendarFeedRow,
  stretch: AppointmentRange,
): Promise<string> {
  const rows = await listDetailsInRange(deps.db, stretch, MOST_ENTRIES)
  const bySession = Map.groupBy(rows, ({ id, session_id }) => session_id ?? id)
  const entries = [...bySession].map(([id, seats]) => {
    const inOrder = seats.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
    const latest = seats.reduce((a, b) => (a.updated_at < b.updated_at ? b : a))
    const names = inOrder.slice(0, MOST_NAMES).map(({ customer_name }) => customer_name)
    const { session_seats } = latest
    const session = session_seats === null ? null : { seats: session_seats, people: seats.length, names }
    const { hidesCustomer } = feed
    const { event } = toAppointmentEvent(latest, { ...deps, hidesCustomer, secret: null, session })
    // A session has an entry of its own, and the other entries have the UIDs of the emails.
    return { facts: { ...toMailFacts(latest, deps), appointmentId: id }, texts: event }
  })
  return buildCalendarFeed(feed.name, entries, deps.origin)
}

/** Returns the feed's URL with the `webcal:` scheme, which makes a browser open it in the calendar program. */
function toFeedUrl(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/^https?:/, 'webcal:')}/api/feeds/${token}`
}

/** Returns the text that binds an encrypted token to its feed, so that it cannot be decrypted for anything else. */
export function toFeedTokenPurpose(calendarId: string): string {
  return `calendar feed ${calendarId}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
