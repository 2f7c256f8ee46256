import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Location, LocationUsageEntry, locationChanges } from '#contract/availability/locations.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import { announceFreedTime, announceFreedTimesAtLocation } from '#server/records/freed-times/use-cases.ts'
import { LOCATION_MAIL_JOB } from './location-mail-job.ts'
import {
  deleteGuestCalendars,
  findLocation,
  findOwnLocationNamed,
  type LocationValues,
  listGuestCalendars,
  lockOwnerOfLocations,
  updateLocation,
} from './repository.ts'
import { updateConstraintAtLocation } from './taken-time-job.ts'
import { type LocationAtTime, listLocationUses, lockLocationWithCalendars } from './usage-repository.ts'
import {
  deleteLockedLocation,
  type LocationsDeps,
  makeSharingCode,
  removeLocationFromCalendar,
  toLocation,
} from './use-cases.ts'

/**
 * Changes a location of the owner. Appointments keep the name and address with which they were booked. If the setting
 * that makes the location exclusive changes, it applies to upcoming appointments too. Other owners lose access to a
 * location that becomes private. Source: rules L6 and L9.
 * @throws ProblemError `location.not_found`, `location.taken`, `request.changed_meanwhile`
 */
export async function editLocation(
  deps: LocationsDeps,
  ownerId: OwnerId,
  id: string,
  { was, ...changes }: z.output<typeof locationChanges>,
): Promise<Location> {
  const place = { locationId: id, now: new Date(deps.now()) }
  return inTransaction(deps.db, async (trx) => {
    const before = await lockOwnPlace(trx, ownerId, place)
    refuseStaleChange(before, was)
    const after = toValues(before, changes)
    const shutOut = before.shareable && !after.shareable ? await listGuestCalendars(trx, id) : []
    const namesake = await findOwnLocationNamed(trx, ownerId, after)
    if (namesake !== null && namesake !== id && !isSamePlace(before, after)) {
      throw new ProblemError('location.taken')
    }
    await updateLocation(trx, id, after)
    await endSharing(deps, trx, place, { ...before, calendarIds: shutOut })
    if (takesTime(before) !== takesTime(after)) await updateConstraintAtLocation(deps, trx, place)
    if (takesTime(before) && !takesTime(after)) await announceFreedTimesAtLocation(deps, trx, id)
    return getOwnPlace(trx, ownerId, id)
  })
}

/**
 * Deletes a location. Appointments keep the name and address with which they were booked. Source: rule L6.
 * @throws ProblemError `location.not_found`
 */
export async function deleteLocation(deps: LocationsDeps, ownerId: OwnerId, id: string): Promise<void> {
  const place = { locationId: id, now: new Date(deps.now()) }
  await inTransaction(deps.db, async (trx) => {
    await lockOwnPlace(trx, ownerId, place)
    await deleteLockedLocation(deps, trx, id)
  })
}

/**
 * Lists the calendars that changing, removing or deleting a location would affect. The location's owner sees every
 * calendar; other owners who use the location see only their own. Source: rule L9.
 * @throws ProblemError `location.not_found` when the caller neither owns nor uses it
 */
export async function getLocationUsage(
  deps: LocationsDeps,
  ownerId: OwnerId,
  id: string,
): Promise<LocationUsageEntry[]> {
  const isOwn = (await findLocation(deps.db, ownerId, id)) !== null
  const uses = await listLocationUses(deps.db, ownerId, { locationId: id, now: new Date(deps.now()) })
  const visible = uses.filter((use) => isOwn || use.user_id === ownerId)
  if (!isOwn && visible.length === 0) throw new ProblemError('location.not_found')
  const guests = isOwn ? await listGuestCalendars(deps.db, id) : []
  return visible
    .map(toUse)
    .filter((use) => use.in_use || use.future_appointments > 0 || guests.includes(use.calendar_id))

  function toUse(use: (typeof uses)[number]): LocationUsageEntry {
    const { appointment_types, future_appointments, is_primary } = use
    return {
      calendar_id: use.id,
      calendar_name: use.name,
      owner_name: use.user_id === ownerId ? null : use.owner_name,
      in_use: is_primary !== null || (appointment_types ?? 0) > 0,
      is_primary: is_primary ?? false,
      appointment_types: appointment_types ?? 0,
      future_appointments: future_appointments ?? 0,
    }
  }
}

/**
 * Replaces the sharing code of a location. Calendars that already use the location are not affected. Source: rule L3.
 * @throws ProblemError `location.not_found`, `location.not_shareable`
 */
export async function replaceSharingCode(
  deps: LocationsDeps,
  ownerId: OwnerId,
  id: string,
): Promise<Location> {
  return inTransaction(deps.db, async (trx) => {
    const before = await lockOwnPlace(trx, ownerId, { locationId: id, now: new Date(deps.now()) })
    if (!before.shareable) throw new ProblemError('location.not_shareable')
    await updateLocation(trx, id, { ...toValues(before, {}), sharing_code: makeSharingCode() })
    return getOwnPlace(trx, ownerId, id)
  })
}

/**
 * Removes the owner's location from any calendar. For a calendar of another owner, this ends the sharing and replaces
 * the code, because that owner knows the code. Source: rules L9 and L11.
 * @throws ProblemError `location.not_found` when the owner has no such location, or that calendar does not use it
 */
export async function removeCalendarFromLocation(
  deps: LocationsDeps,
  ownerId: OwnerId,
  key: { id: string; calendarId: string },
): Promise<void> {
  const place = { locationId: key.id, now: new Date(deps.now()) }
  await inTransaction(deps.db, async (trx) => {
    const location = await lockOwnPlace(trx, ownerId, place)
    if ((await listGuestCalendars(trx, key.id)).includes(key.calendarId)) {
      await endSharing(deps, trx, place, { ...location, calendarIds: [key.calendarId] })
      if (location.shareable) {
        await updateLocation(trx, key.id, { ...toValues(location, {}), sharing_code: makeSharingCode() })
      }
      return
    }
    if (!(await removeLocationFromCalendar(trx, key.calendarId, key.id)))
      throw new ProblemError('location.not_found')
    await announceFreedTime(deps, trx, key.calendarId)
  })
}

/**
 * Stops sharing a location with calendars of other owners. Their appointments stay but no longer reserve it. The caller
 * has locked the location with its calendars. Source: rule L11.
 */
async function endSharing(
  deps: LocationsDeps,
  trx: Trx,
  place: LocationAtTime,
  {
    name,
    address,
    calendarIds,
  }: Pick<Location, 'name' | 'address'> & { readonly calendarIds: readonly string[] },
): Promise<void> {
  if (calendarIds.length === 0) return
  // Announce this before the rows are deleted, because they determine which calendars are affected.
  await announceFreedTimesAtLocation(deps, trx, place.locationId)
  for (const calendarId of calendarIds) await removeLocationFromCalendar(trx, calendarId, place.locationId)
  await deleteGuestCalendars(trx, place.locationId, calendarIds)
  await updateConstraintAtLocation(deps, trx, place)
  const endedAt = place.now.toISOString()
  await deps.jobs.insert(
    trx,
    LOCATION_MAIL_JOB,
    calendarIds.map((calendarId) => ({
      calendarId,
      location: { id: place.locationId, name, address },
      endedAt,
    })),
  )
}

async function lockOwnPlace(trx: Trx, ownerId: OwnerId, place: LocationAtTime): Promise<Location> {
  if (!(await lockOwnerOfLocations(trx, ownerId))) throw new ProblemError('auth.required')
  if (!(await lockLocationWithCalendars(trx, ownerId, place))) throw new ProblemError('location.not_found')
  return getOwnPlace(trx, ownerId, place.locationId)
}

async function getOwnPlace(trx: Trx, ownerId: OwnerId, id: string): Promise<Location> {
  const row = await findLocation(trx, ownerId, id)
  if (row === null) throw new ProblemError('location.not_found')
  return toLocation(row, ownerId)
}

/**
 * Returns the values to store. Absent fields keep their values. A location has a sharing code only while it is
 * shareable.
 */
function toValues(
  before: LocationValues,
  changes: Omit<z.output<typeof locationChanges>, 'was'>,
): LocationValues {
  const shareable = changes.shareable ?? before.shareable
  return {
    name: changes.name ?? before.name,
    address: changes.address === undefined ? before.address : changes.address || null,
    type: changes.type ?? before.type,
    shareable,
    sharing_code: shareable ? (before.sharing_code ?? makeSharingCode()) : null,
    exclusive: changes.exclusive ?? before.exclusive,
  }
}

/** True when the location can have only one appointment at a time. */
function takesTime(place: Pick<LocationValues, 'type' | 'exclusive'>): boolean {
  return place.type === 'physical' && place.exclusive
}

function isSamePlace(before: LocationValues, after: LocationValues): boolean {
  return isDeepStrictEqual([before.name, before.address], [after.name, after.address])
}
