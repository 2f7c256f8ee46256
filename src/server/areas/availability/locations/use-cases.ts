import { randomInt, randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  addLocationBody,
  CalendarLocation,
  CalendarLocations,
  Location,
  LocationBody,
} from '#contract/availability/locations.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { generateUserCode, parseUserCode } from '#core/shared/typed-code.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { type CalendarsDeps, getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import {
  announceFreedTime,
  announceFreedTimesAtLocation,
  type FreedTimesDeps,
} from '#server/records/freed-times/use-cases.ts'
import { LOCATION_MAIL_JOB } from './location-mail-job.ts'
import {
  type CalendarLocationRow,
  countLocations,
  deleteLocationRow,
  findOwnLocationNamed,
  insertGuestCalendar,
  insertLocation,
  type LocationRow,
  listCalendarLocations,
  listGuestCalendars,
  listLocations,
  lockLocationByCode,
  lockOwnerOfLocations,
  lockOwnLocation,
  lockUsableLocation,
  markLocationPrimary,
  removeFromCalendar,
  tryInsertCalendarLocation,
} from './repository.ts'
import {
  listCalendarIdsOfPrimary,
  listInaccessibleLocations,
  lockLocationsWithCalendars,
} from './usage-repository.ts'

export type LocationsDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl'> & {
  readonly jobs: Pick<JobQueue, 'insert'>
  readonly budgets: Pick<Budgets, 'spend'>
}

/** Identifies a location of a calendar. */
type CalendarLocationKey = { readonly calendarId: string; readonly id: string }

export async function listOwnLocations(deps: LocationsDeps, ownerId: OwnerId): Promise<Location[]> {
  return (await listLocations(deps.db, ownerId)).map((row) => toLocation(row, ownerId))
}

/**
 * Lists the locations of one of the owner's calendars.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function listLocationsOfCalendar(
  deps: LocationsDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<CalendarLocations> {
  await getOwnCalendar(deps, ownerId, calendarId)
  return {
    calendar_locations: await listRows(deps.db, ownerId, calendarId),
    withdrawn: await listInaccessibleLocations(deps.db, calendarId, new Date(deps.now())),
  }
}

/**
 * Adds a location to the calendar; the first one becomes primary. A name and address select the owner's existing
 * location that has them, or create a new one. Another owner's location can be used only with its sharing code. Source:
 * rules L2 and L3.
 * @throws ProblemError `calendar.*`, `location.*`, `request.too_many`, `request.invalid` when the owner has reached the
 * limit of locations
 */
export async function addLocation(
  deps: LocationsDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: z.output<typeof addLocationBody>,
): Promise<CalendarLocation> {
  const createdAt = new Date(deps.now())
  if ('sharing_code' in body) {
    refuseIfOverBudget(await deps.budgets.spend([{ budget: 'sharing_codes', subject: ownerId }]))
  }
  return inTransaction(deps.db, async (trx) => {
    if (!(await lockOwnerOfLocations(trx, ownerId))) throw new ProblemError('auth.required')
    await lockOwnCalendar(trx, ownerId, calendarId)
    const locationId = await holdLocation(trx, ownerId, { calendarId, body, createdAt })
    const isPrimary = (await listCalendarLocations(trx, calendarId)).every((row) => !row.is_primary)
    const use = { calendarId, id: randomUUID(), locationId, isPrimary, createdAt }
    if (!(await tryInsertCalendarLocation(trx, use))) throw new ProblemError('location.already_added')
    return getRow(trx, ownerId, use)
  })
}

async function holdLocation(
  trx: Trx,
  ownerId: OwnerId,
  {
    calendarId,
    body,
    createdAt,
  }: { calendarId: string; body: z.output<typeof addLocationBody>; createdAt: Date },
): Promise<string> {
  if ('sharing_code' in body)
    return joinLocation(trx, ownerId, { calendarId, code: body.sharing_code, createdAt })
  if (!('location_id' in body)) return holdDescribedLocation(trx, ownerId, body, createdAt)
  const own = await lockOwnLocation(trx, ownerId, body.location_id)
  if (own === null) throw new ProblemError('location.not_found')
  return own
}

/**
 * Allows the calendar to use the location with this code. By sharing the code, the location's owner has consented.
 * Source: rule L3.
 */
async function joinLocation(
  trx: Trx,
  ownerId: OwnerId,
  { calendarId, code, createdAt }: { calendarId: string; code: string; createdAt: Date },
): Promise<string> {
  const shared = await lockLocationByCode(trx, parseUserCode(code))
  if (shared === null) {
    const { title: message } = PROBLEMS['location.code_unknown']
    throw new ProblemError('location.code_unknown', [{ path: 'sharing_code', message }])
  }
  if (shared.user_id === ownerId || shared.guests.includes(calendarId)) return shared.id
  if (shared.guests.length >= LIMITS.locationGuests) throw new ProblemError('location.too_many_guests')
  await insertGuestCalendar(trx, { calendarId, locationId: shared.id, createdAt })
  return shared.id
}

/** Finds the owner's location with this name and address, or creates it. */
async function holdDescribedLocation(
  trx: Trx,
  ownerId: OwnerId,
  body: LocationBody,
  createdAt: Date,
): Promise<string> {
  const place = { ...body, address: body.address || null }
  const found = await findOwnLocationNamed(trx, ownerId, place)
  if (found !== null) return found
  if ((await countLocations(trx, ownerId)) >= LIMITS.locationsPerOwner) {
    throw new ProblemError('request.invalid', [
      { path: 'name', message: `You can have ${LIMITS.locationsPerOwner} locations.` },
    ])
  }
  const id = randomUUID()
  const sharing_code = place.shareable ? makeSharingCode() : null
  await insertLocation(trx, ownerId, { ...place, sharing_code, id, createdAt })
  return id
}

/** Creates a code that other owners enter to use a location. Source: rule L3. */
export function makeSharingCode(): string {
  return generateUserCode(randomInt)
}

/**
 * Removes a location from the calendar. Types that named it then use the primary location. If the removed location was
 * primary, the first of the others becomes primary. Appointments keep their location and their time. Source: rules L5
 * and L7.
 * @throws ProblemError `calendar.*`, `location.not_found`
 */
export async function removeLocation(
  deps: LocationsDeps,
  ownerId: OwnerId,
  key: CalendarLocationKey,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, key.calendarId)
    const { location_id } = await getRow(trx, ownerId, key)
    await removeLocationFromCalendar(trx, key.calendarId, location_id)
    await announceFreedTime(deps, trx, key.calendarId)
  })
}

/**
 * Removes a location from a locked calendar, and makes another one primary if needed.
 * @returns true if the calendar or one of its types had the location
 */
export async function removeLocationFromCalendar(
  trx: Trx,
  calendarId: string,
  locationId: string,
): Promise<boolean> {
  if (!(await removeFromCalendar(trx, calendarId, locationId))) return false
  const [first] = await listCalendarLocations(trx, calendarId)
  if (first !== undefined && !first.is_primary) {
    await markLocationPrimary(trx, calendarId, first.calendar_location_id)
  }
  return true
}

/**
 * Deletes a location that is locked with its calendars. Calendars that had it as their primary location get another
 * primary location first. The owners of calendars with which it was shared get an email. Source: rules L6 and L11.
 */
export async function deleteLockedLocation(
  deps: FreedTimesDeps & Pick<LocationsDeps, 'now'>,
  trx: Trx,
  locationId: string,
): Promise<void> {
  // Announce this before the rows are deleted, because they determine which calendars are affected.
  await announceFreedTimesAtLocation(deps, trx, locationId)
  for (const calendarId of await listCalendarIdsOfPrimary(trx, locationId)) {
    await removeLocationFromCalendar(trx, calendarId, locationId)
  }
  const guests = await listGuestCalendars(trx, locationId)
  const location = await deleteLocationRow(trx, locationId)
  const endedAt = new Date(deps.now()).toISOString()
  const mails = guests.map((calendarId) => ({ calendarId, location, endedAt, isDeleted: true }))
  if (mails.length > 0) await deps.jobs.insert(trx, LOCATION_MAIL_JOB, mails)
}

/**
 * Locks all locations of an account that is about to be deleted, with all affected calendars and the owner's own. The
 * caller has locked the account. Pass the returned ids to `deleteLockedLocation`.
 */
export function lockAllLocations(
  deps: Pick<LocationsDeps, 'now'>,
  trx: Trx,
  ownerId: OwnerId,
): Promise<string[]> {
  return lockLocationsWithCalendars(trx, ownerId, new Date(deps.now()))
}

/**
 * Makes a location the calendar's primary one. Source: rule L4.
 * @throws ProblemError `calendar.*`, `location.not_found`
 */
export async function setPrimaryLocation(
  deps: LocationsDeps,
  ownerId: OwnerId,
  key: CalendarLocationKey,
): Promise<CalendarLocation> {
  return inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, key.calendarId)
    await getRow(trx, ownerId, key)
    await markLocationPrimary(trx, key.calendarId, key.id)
    await announceFreedTime(deps, trx, key.calendarId)
    return getRow(trx, ownerId, key)
  })
}

/**
 * Locks a location that a type of this calendar will use: one of the owner's locations, or one that the calendar
 * already has. Source: rule C14.
 * @throws ProblemError `location.not_found`
 */
export async function lockLocationForType(
  trx: Trx,
  ownerId: OwnerId,
  use: { calendarId: string; locationId: string },
): Promise<void> {
  if (await lockUsableLocation(trx, { ownerId, ...use })) return
  const { title: message } = PROBLEMS['location.not_found']
  throw new ProblemError('location.not_found', [{ path: 'location_id', message }])
}

async function getRow(trx: Trx, ownerId: OwnerId, key: CalendarLocationKey): Promise<CalendarLocation> {
  const found = (await listRows(trx, ownerId, key.calendarId)).find((row) => row.id === key.id)
  if (found === undefined) throw new ProblemError('location.not_found')
  return found
}

async function listRows(db: Db, ownerId: OwnerId, calendarId: string): Promise<CalendarLocation[]> {
  const rows = await listCalendarLocations(db, calendarId)
  return rows.map((row) => toCalendarLocation(row, ownerId))
}

function toCalendarLocation(row: CalendarLocationRow, ownerId: OwnerId): CalendarLocation {
  return {
    id: row.calendar_location_id,
    calendar_id: row.calendar_id,
    location_id: row.id,
    is_primary: row.is_primary,
    location: toLocation(row, ownerId),
  }
}

/** Converts a location for the response. Only its owner sees the sharing code and how many others use it. */
export function toLocation(row: LocationRow, ownerId: OwnerId): Location {
  const isOwn = row.user_id === ownerId
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    type: row.type,
    shareable: row.shareable,
    sharing_code: isOwn ? row.sharing_code : null,
    exclusive: row.exclusive,
    user_id: isOwn ? row.user_id : null,
    used_by_others: isOwn ? (row.guests ?? 0) : 0,
  }
}
