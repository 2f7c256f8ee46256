import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { LIMITS } from '#contract/shared/limits.ts'
import { findCanonicalTimeZone } from '#contract/shared/stored-zone.ts'
import type { addToWaitingListBody, joinWaitingListBody } from '#contract/waiting-list/waiting-list.ts'
import { addDays, toDayNumber } from '#core/shared/calendar-date.ts'
import { toMailboxName } from '#core/shared/mailbox-name.ts'
import { localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { currentOfferState } from '#core/waiting-list/waiting-states.ts'
import { refuseBots } from '#server/areas/appointments/bookings/refuse-bots.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import { toHoldOwner } from '#server/areas/appointments/holds/to-hold-owner.ts'
import { recordEmailResponse } from '#server/messages/queue/recipient-use-cases.ts'
import type { BudgetUse } from '#server/platform/budgets/budgets.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import type { Client } from '#server/platform/http/client-of-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { getPublicCalendar } from '#server/records/calendars/use-cases.ts'
import { announceFreedTime } from '#server/records/freed-times/use-cases.ts'
import { CLOSED_OFFER_REFUSALS } from './accept-offer.ts'
import { findWaitingListCalendar, type WaitingListCalendar } from './calendar-repository.ts'
import type { WaitingActionsDeps } from './deps.ts'
import { endUnbookedOffer } from './end-offer.ts'
import { WAITING_MAIL_JOB } from './job-definitions.ts'
import { scanForJoiningCustomer } from './list-free-times.ts'
import { readWaitingLink } from './read-waiting-link.ts'
import {
  countActiveEntries,
  countEntriesOfEmail,
  findEntry,
  findEntryById,
  findLastOffer,
  findOfferById,
  insertEntry,
  listBookableTypes,
  lockEntry,
  lockOpenOffer,
  type Offer,
  type StoredWaitingEntry,
  updateEntry,
} from './repository.ts'
import { MAX_WAITING_ENTRIES } from './scan-waiting-list.ts'

/** Maximum number of active requests that one email address can have on a calendar. Source: rule Z11. */
const MAX_REQUESTS_OF_ADDRESS = 5

/**
 * Requests a place on the waiting list. The request becomes active once the recipient of our email confirms it, so the
 * response is the same for every address. Source: rules Z1 and Z11.
 * @throws ProblemError `calendar.not_found`, `calendar.paused`, `booking.*`, `waiting.*`
 */
export async function joinWaitingList(
  deps: WaitingActionsDeps,
  {
    slug,
    body,
    client,
  }: { readonly slug: string; readonly body: z.output<typeof joinWaitingListBody>; readonly client: Client },
): Promise<{ email: string }> {
  refuseBots(body)
  const { calendar_id: calendarId, is_paused: isPaused } = await getPublicCalendar(deps, slug)
  if (isPaused) throw new ProblemError('calendar.paused')
  const calendar = await getWaitingListCalendar(deps, calendarId)
  const wish = await toWaitingRequest(deps, calendar, {
    ...body,
    timeZone: findCanonicalTimeZone(body.time_zone ?? ''),
  })
  await countRequest(deps, { client, ownerId: calendar.owner_id, email: body.email })
  const now = new Date(deps.now())
  const id = randomUUID()
  await inTransaction(deps.db, async (trx) => {
    const scanNumber = await scanForJoiningCustomer(deps, trx, { calendar, wanted: wish })
    const holder = toHoldOwner(deps, client, body.email)
    await insertEntry(trx, {
      ...wish,
      calendar_id: calendarId,
      id,
      created_at: now,
      look_no: scanNumber,
      client_key: holder.client,
      network_key: holder.network,
      state: 'unconfirmed',
      added_by: 'customer',
      unanswered: 0,
      joined_at: null,
    })
    await deps.jobs.insert(trx, WAITING_MAIL_JOB, [{ calendarId, entryId: id, offerId: null, rotation: 0 }])
  })
  return { email: body.email }
}

/**
 * Counts a request towards its rate limits. The order matters: limits that only the caller can use up come first.
 * Source: rule H4.
 */
async function countRequest(
  { budgets }: WaitingActionsDeps,
  { client, ownerId, email }: { readonly client: Client; readonly ownerId: string; readonly email: string },
): Promise<void> {
  const uses: BudgetUse[] = [
    { budget: 'waiting_requests_client', subject: client.address },
    ...(client.network === null
      ? []
      : [{ budget: 'waiting_requests_network', subject: client.network } as const]),
    { budget: 'waiting_requests_calendar', subject: ownerId },
    { budget: 'waiting_requests_email', subject: toMailboxName(email) },
  ]
  const spent = await budgets.spend(uses)
  if (spent === null) return
  const code = spent.budget === 'waiting_requests_email' ? 'waiting.too_many_for_email' : 'waiting.too_many'
  throw new ProblemError(code, [], spent.waitSeconds)
}

type Wanted = z.output<typeof addToWaitingListBody> & {
  /** The customer's time zone; null when it is unknown. */
  readonly timeZone: string | null
}

/**
 * Validates a waiting-list request and converts it to the stored fields. Its dates are in the zone in which the booking page
 * shows the appointment type (rule T21). Source: rule Z1.
 * @throws ProblemError `waiting.dates`, `waiting.valid_until`, `waiting.type_required`, `booking.type_unknown`
 */
export async function toWaitingRequest(
  deps: Pick<WaitingActionsDeps, 'db' | 'now'>,
  calendar: WaitingListCalendar,
  wanted: Wanted,
): Promise<
  Pick<
    StoredWaitingEntry,
    | 'customer_name'
    | 'customer_email'
    | 'customer_phone'
    | 'customer_time_zone'
    | 'appointment_type_id'
    | 'appointment_type_name'
    | 'time_zone'
    | 'from_date'
    | 'to_date'
    | 'weekdays'
    | 'day_parts'
    | 'valid_until'
  >
> {
  const { appointment_type_id: typeId = null, from_date: fromDate, to_date: toDate } = wanted
  const types = await listBookableTypes(deps.db, calendar.id)
  const type = types.find(({ id }) => id === typeId)
  if (typeId !== null && type === undefined) throw new ProblemError('booking.type_unknown')
  if (typeId === null && types.length > 0) throw new ProblemError('waiting.type_required')
  const timeZone = type?.is_online === true ? (wanted.timeZone ?? calendar.timezone) : calendar.timezone
  const today = localDateOf(deps.now(), timeZone)
  const days = toDayNumber(toDate) - toDayNumber(fromDate)
  const daysAhead = toDayNumber(toDate) - toDayNumber(today)
  if (days < 0 || days > LIMITS.waitingDays || daysAhead < 0 || daysAhead > LIMITS.waitingDaysAhead) {
    throw new ProblemError('waiting.dates', [{ path: 'to_date', message: 'Please check the dates.' }])
  }
  const validUntil = wanted.valid_until ?? toDate
  if (validUntil < today || validUntil > toDate) {
    throw new ProblemError('waiting.valid_until', [
      { path: 'valid_until', message: 'Please check this day.' },
    ])
  }
  return {
    customer_name: wanted.name,
    customer_email: wanted.email,
    customer_phone: wanted.phone || null,
    customer_time_zone: wanted.timeZone,
    appointment_type_id: typeId ?? null,
    appointment_type_name: type?.name ?? null,
    time_zone: timeZone,
    from_date: fromDate,
    to_date: toDate,
    weekdays: [...new Set(wanted.weekdays)].sort((one, other) => one - other),
    day_parts: [...new Set(wanted.day_parts)],
    // The end of the last day.
    valid_until: new Date(toEpochMs(addDays(validUntil, 1), 0, timeZone)),
  }
}

/** Returns the last day on which the customer wants offers; `valid_until` is the midnight after it. Source: rule Z1. */
export function toLastOfferDay({
  valid_until: validUntil,
  time_zone: timeZone,
}: Pick<StoredWaitingEntry, 'valid_until' | 'time_zone'>): string {
  return localDateOf(validUntil.getTime() - 1, timeZone)
}

/**
 * The target of an emailed link: an entry on the list, with the offer that the link names or, if it names none, the
 * entry's last offer.
 */
export type LinkedWaitingEntry = {
  readonly entry: StoredWaitingEntry
  readonly offer: Offer | null
  readonly calendar: WaitingListCalendar
}

/**
 * Returns the entry that an emailed link opens. A replaced link is refused like a forged one, because a stranger may
 * read the old address. Source: rule Z14.
 * @throws ProblemError `waiting.not_found` when the link is forged or replaced, or its entry was deleted
 */
export async function getLinkedEntry(
  deps: Pick<WaitingActionsDeps, 'db' | 'signer'>,
  token: string,
): Promise<LinkedWaitingEntry> {
  const link = readWaitingLink(deps.signer, token)
  if (link === null) throw new ProblemError('waiting.not_found')
  const named = link.about === 'offer' ? await findOfferById(deps.db, link.id) : null
  const entry =
    named === null
      ? await findEntryById(deps.db, link.id)
      : await findEntry(deps.db, { calendar_id: named.calendar_id, id: named.entry_id })
  if (entry === null || entry.link_rotation !== link.rotation) throw new ProblemError('waiting.not_found')
  const calendar = await findWaitingListCalendar(deps.db, entry.calendar_id)
  if (calendar === null) throw new ProblemError('waiting.not_found')
  return { entry, calendar, offer: named ?? (await findLastOffer(deps.db, entry)) }
}

/**
 * Locks the calendar, then the entry that a link opened.
 * @throws ProblemError `waiting.not_found` when the entry was deleted, or its links were replaced in the meantime
 */
async function lockLinked(trx: Trx, entry: StoredWaitingEntry): Promise<StoredWaitingEntry> {
  await lockBookableCalendar(trx, entry.calendar_id)
  const locked = await lockEntry(trx, entry)
  if (locked === null || locked.link_rotation !== entry.link_rotation)
    throw new ProblemError('waiting.not_found')
  return locked
}

/**
 * Returns the calendar of a waiting list.
 * @throws ProblemError `calendar.not_found`
 */
export async function getWaitingListCalendar(
  { db }: Pick<WaitingActionsDeps, 'db'>,
  calendarId: string,
): Promise<WaitingListCalendar> {
  const calendar = await findWaitingListCalendar(db, calendarId)
  if (calendar === null) throw new ProblemError('calendar.not_found')
  return calendar
}

/**
 * Confirms a waiting-list request after the customer opened the link that we emailed. Idempotent. Source: rule Z1.
 * @throws ProblemError `waiting.not_found`, `waiting.ended`, `waiting.list_full`, `waiting.too_many_for_email`
 */
export async function confirmWaitingRequest(deps: WaitingActionsDeps, token: string): Promise<void> {
  const { entry, calendar } = await getLinkedEntry(deps, token)
  await inTransaction(deps.db, async (trx) => {
    const locked = await lockLinked(trx, entry)
    if (locked.state === 'waiting' || locked.state === 'offered') return
    const now = new Date(deps.now())
    if (locked.state !== 'unconfirmed' || locked.valid_until <= now) throw new ProblemError('waiting.ended')
    await refuseWhenListIsFull(trx, calendar.id)
    if ((await countEntriesOfEmail(trx, calendar.id, locked.customer_email)) >= MAX_REQUESTS_OF_ADDRESS) {
      throw new ProblemError('waiting.too_many_for_email')
    }
    await updateEntry(trx, locked, { state: 'waiting', joined_at: now })
    await announceFreedTime(deps, trx, calendar.id)
  })
  await recordEmailResponse(deps, deps.recipientKeys.keyOf(entry.customer_email))
}

/**
 * Refuses a customer when the list is full.
 * @throws ProblemError `waiting.list_full`
 */
export async function refuseWhenListIsFull(trx: Trx, calendarId: string): Promise<void> {
  if ((await countActiveEntries(trx, calendarId)) >= MAX_WAITING_ENTRIES)
    throw new ProblemError('waiting.list_full')
}

/**
 * Declines an offer, so that its time goes to the next customer. The customer stays on the list. Source: rule Z6.
 * @throws ProblemError `waiting.*` when the offer is no longer open
 */
export async function declineOffer(deps: WaitingActionsDeps, token: string): Promise<void> {
  const { entry, offer } = await getLinkedEntry(deps, token)
  if (offer === null) throw new ProblemError('waiting.nothing_offered')
  await inTransaction(deps.db, async (trx) => {
    await lockLinked(trx, entry)
    const open = await lockOpenOffer(trx, entry)
    if (open?.id === offer.id) {
      const isOver = open.expires_at.getTime() <= deps.now()
      await endUnbookedOffer(deps, trx, open, isOver ? 'expired' : 'declined')
      return
    }
    const state = currentOfferState(offer, deps.now())
    // Declining twice succeeds, so that the request is idempotent.
    if (state === 'declined') return
    throw new ProblemError(
      state === 'accepted'
        ? 'waiting.offer_accepted'
        : state === 'open'
          ? 'waiting.nothing_offered'
          : CLOSED_OFFER_REFUSALS[state],
    )
  })
}

/**
 * Removes a customer from the list for good. A time that the customer was offered goes to the next customer. Source:
 * rule Z9.
 * @throws ProblemError `waiting.not_found`
 */
export async function leaveWaitingList(deps: WaitingActionsDeps, token: string): Promise<void> {
  const { entry } = await getLinkedEntry(deps, token)
  await inTransaction(deps.db, async (trx) => {
    await lockLinked(trx, entry)
    await removeWaitingEntry(deps, trx, entry)
  })
}

/** Removes an entry from the list. Does nothing if the entry has already ended. */
export async function removeWaitingEntry(
  deps: Pick<WaitingActionsDeps, 'now' | 'jobs'>,
  trx: Trx,
  key: Pick<StoredWaitingEntry, 'calendar_id' | 'id'>,
): Promise<void> {
  await lockBookableCalendar(trx, key.calendar_id)
  const entry = await lockEntry(trx, key)
  if (entry === null) throw new ProblemError('waiting.not_found')
  if (!['unconfirmed', 'waiting', 'offered'].includes(entry.state)) return
  const open = await lockOpenOffer(trx, entry)
  await updateEntry(trx, entry, { state: 'removed', ended_at: new Date(deps.now()) })
  if (open !== null) await endUnbookedOffer(deps, trx, open, 'withdrawn')
}
