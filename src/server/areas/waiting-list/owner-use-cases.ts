import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { LIMITS } from '#contract/shared/limits.ts'
import type {
  addToWaitingListBody,
  MatchingTimes,
  WaitingListCounts,
  WaitingListEntry,
  WaitingListResponse,
  waitingListQuery,
} from '#contract/waiting-list/waiting-list.ts'
import { toRfc3339 } from '#core/shared/zoned-time.ts'
import { decideOffer } from '#core/waiting-list/offer-duration.ts'
import { matchesRequest, toLocalStart } from '#core/waiting-list/waiting-request.ts'
import { currentOfferState } from '#core/waiting-list/waiting-states.ts'
import { lockBookableCalendar } from '#server/areas/appointments/bookings/repository.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import { announceFreedTime } from '#server/records/freed-times/use-cases.ts'
import type { WaitingActionsDeps } from './deps.ts'
import { endUnbookedOffer } from './end-offer.ts'
import { insertOffer } from './insert-offer.ts'
import { listFreeTimes, scanForJoiningCustomer } from './list-free-times.ts'
import {
  countActiveEntries,
  countWaitingByCalendar,
  findEntry,
  insertEntry,
  listEntriesPage,
  listOffersOfEntries,
  lockOpenOffer,
  type Offer,
  type StoredWaitingEntry,
  type WaitingEntryKey,
} from './repository.ts'
import {
  getWaitingListCalendar,
  refuseWhenListIsFull,
  removeWaitingEntry,
  toLastOfferDay,
  toWaitingRequest,
} from './use-cases.ts'

/** Maximum number of recent offers to one customer that the owner sees. */
const SHOWN_OFFERS = 20
/** Maximum number of free times from which an owner chooses one to offer, the earliest first. */
const SHOWN_TIMES = 50

/** Counts the waiting customers and the open offers on each calendar of an owner. Source: rule Z13. */
export async function countWaitingOnEachCalendar(
  { db }: WaitingActionsDeps,
  ownerId: OwnerId,
): Promise<WaitingListCounts> {
  const counts = await countWaitingByCalendar(db, ownerId)
  return { calendars: counts }
}

/**
 * Lists the waiting customers in order, with their offers. Source: rule Z3.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function listWaitingEntries(
  deps: WaitingActionsDeps,
  ownerId: OwnerId,
  calendarId: string,
  { show, page }: z.output<typeof waitingListQuery>,
): Promise<WaitingListResponse> {
  const { timezone, hour_cycle } = await getOwnCalendar(deps, ownerId, calendarId)
  const offset = (page - 1) * LIMITS.pageSize
  const { entries, total } = await listEntriesPage(deps.db, calendarId, {
    show,
    limit: LIMITS.pageSize,
    offset,
  })
  const ids = entries.map(({ id }) => id)
  const offers = Map.groupBy(await listOffersOfEntries(deps.db, calendarId, ids), ({ entry_id }) => entry_id)
  const nowMs = deps.now()
  return {
    time_zone: timezone,
    hour_cycle,
    waiting: await countActiveEntries(deps.db, calendarId),
    total,
    // Active entries come first, in order, so the row number is the place on the list.
    entries: entries.map((entry, i) => toAnswer(entry, offset + i + 1, offers.get(entry.id) ?? [], nowMs)),
  }
}

function toAnswer(
  entry: StoredWaitingEntry,
  place: number,
  offers: readonly Offer[],
  nowMs: number,
): WaitingListEntry {
  const isInLine = entry.state === 'waiting' || entry.state === 'offered'
  return {
    id: entry.id,
    place: isInLine ? place : null,
    state: entry.state,
    added_by: entry.added_by,
    customer_name: entry.customer_name,
    customer_email: entry.customer_email,
    customer_phone: entry.customer_phone,
    appointment_type_id: entry.appointment_type_id,
    appointment_type_name: entry.appointment_type_name,
    from_date: entry.from_date,
    to_date: entry.to_date,
    weekdays: [...entry.weekdays],
    day_parts: [...entry.day_parts],
    created_at: entry.created_at.toISOString(),
    valid_until: toLastOfferDay(entry),
    offers: offers.slice(0, SHOWN_OFFERS).map((offer) => ({
      id: offer.id,
      state: currentOfferState(offer, nowMs),
      starts_at: offer.starts_at.toISOString(),
      offered_at: offer.offered_at.toISOString(),
      expires_at: offer.expires_at.toISOString(),
      is_held: offer.held_appointment_id !== null,
      made_by: offer.made_by,
    })),
  }
}

/**
 * Adds a customer who asked by phone or in person to the list. Their email address needs no confirmation, because the
 * owner knows the customer. Source: rule Z1.
 * @throws ProblemError `calendar.*`, `booking.type_unknown`, `waiting.*`
 */
export async function addToWaitingList(
  deps: WaitingActionsDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: z.output<typeof addToWaitingListBody>,
): Promise<{ id: string }> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const calendar = await getWaitingListCalendar(deps, calendarId)
  const wish = await toWaitingRequest(deps, calendar, { ...body, timeZone: null })
  const id = randomUUID()
  await inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, calendarId)
    await refuseWhenListIsFull(trx, calendarId)
    const now = new Date(deps.now())
    const scanNumber = await scanForJoiningCustomer(deps, trx, { calendar, wanted: wish })
    await insertEntry(trx, {
      ...wish,
      calendar_id: calendarId,
      id,
      state: 'waiting',
      added_by: 'owner',
      created_at: now,
      joined_at: now,
      unanswered: 0,
      look_no: scanNumber,
      client_key: null,
      network_key: null,
    })
    await announceFreedTime(deps, trx, calendarId)
  })
  return { id }
}

/**
 * Removes a customer from the list.
 * @throws ProblemError `calendar.*`, `waiting.not_found`
 */
export async function removeFromWaitingList(
  deps: WaitingActionsDeps,
  ownerId: OwnerId,
  key: WaitingEntryKey,
): Promise<void> {
  await getOwnCalendar(deps, ownerId, key.calendar_id)
  await inTransaction(deps.db, (trx) => removeWaitingEntry(deps, trx, key))
}

/**
 * Lists the free times that match a customer's request, from which the owner chooses one to offer. Source: rule Z3.
 * @throws ProblemError `calendar.*`, `waiting.not_found`
 */
export async function listMatchingFreeTimes(
  deps: WaitingActionsDeps,
  ownerId: OwnerId,
  key: WaitingEntryKey,
): Promise<MatchingTimes> {
  await getOwnCalendar(deps, ownerId, key.calendar_id)
  const calendar = await getWaitingListCalendar(deps, key.calendar_id)
  const entry = await getEntry(deps, key)
  const [free] = await listFreeTimes(deps, calendar, [entry])
  const fitting = (free?.startsMs ?? []).filter((startMs) =>
    matchesRequest(entry, toLocalStart(startMs, entry.time_zone)),
  )
  const { timezone, hour_cycle } = calendar
  return { time_zone: timezone, hour_cycle, starts_at: fitting.slice(0, SHOWN_TIMES).map(toRfc3339) }
}

/**
 * Offers a time to a customer out of turn. The offer lasts as long as any other. Source: rule Z3.
 * @throws ProblemError `calendar.*`, `waiting.*`
 */
export async function makeOffer(
  deps: WaitingActionsDeps,
  ownerId: OwnerId,
  key: WaitingEntryKey,
  startMs: number,
): Promise<void> {
  const { timezone: timeZone } = await getOwnCalendar(deps, ownerId, key.calendar_id)
  await getEntry(deps, key)
  const decision = decideOffer({ nowMs: deps.now(), startsAtMs: startMs, timeZone })
  const heldUntilMs = decision.kind === 'held' ? decision.endsAtMs : null
  const { calendar_id: calendarId, id: customerId } = key
  await insertOffer(deps, { calendarId, customerId, startMs, heldUntilMs, madeBy: 'owner' })
}

/**
 * Withdraws an offer.
 * @throws ProblemError `calendar.*`, `waiting.nothing_offered`
 */
export async function withdrawOffer(
  deps: WaitingActionsDeps,
  ownerId: OwnerId,
  key: WaitingEntryKey,
): Promise<void> {
  await getOwnCalendar(deps, ownerId, key.calendar_id)
  await getEntry(deps, key)
  await inTransaction(deps.db, async (trx) => {
    await lockBookableCalendar(trx, key.calendar_id)
    const open = await lockOpenOffer(trx, key)
    if (open === null) throw new ProblemError('waiting.nothing_offered')
    await endUnbookedOffer(deps, trx, open, 'withdrawn')
  })
}

async function getEntry({ db }: WaitingActionsDeps, key: WaitingEntryKey): Promise<StoredWaitingEntry> {
  const entry = await findEntry(db, key)
  if (entry === null) throw new ProblemError('waiting.not_found')
  return entry
}
