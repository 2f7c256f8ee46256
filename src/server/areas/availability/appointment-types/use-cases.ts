import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  AppointmentType,
  AppointmentTypesResponse,
  AppointmentTypeUsage,
  appointmentTypeBody,
  appointmentTypeChanges,
  PublicAppointmentType,
} from '#contract/availability/appointment-types.ts'
import type { PublicCalendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { lockLocationForType } from '#server/areas/availability/locations/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import {
  type CalendarsDeps,
  getConnectedProviders,
  getOwnCalendar,
  getPublicCalendar,
  lockOwnCalendar,
} from '#server/records/calendars/use-cases.ts'
import { announceFreedTime, type FreedTimesDeps } from '#server/records/freed-times/use-cases.ts'
import {
  type AppointmentTypeRow,
  type AppointmentTypeValues,
  countAppointmentTypes,
  countFutureAppointments,
  deleteAppointmentTypeRow,
  findAppointmentType,
  insertAppointmentType,
  listAppointmentTypes,
  updateAppointmentType,
} from './repository.ts'

export type AppointmentTypesDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'> &
  FreedTimesDeps
type Body = z.output<typeof appointmentTypeBody>
type Changes = z.output<typeof appointmentTypeChanges>
type TypeKey = { readonly calendarId: string; readonly id: string }

/**
 * Lists the types that a visitor can choose from, by name.
 * @throws ProblemError `calendar.not_found`
 */
export async function listPublicTypes(
  deps: Pick<AppointmentTypesDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'>,
  slug: string,
): Promise<PublicAppointmentType[]> {
  return listPublicTypesOf(deps, await getPublicCalendar(deps, slug))
}

/**
 * Like `listPublicTypes`, for a calendar that is already loaded. Each type has its own location or the calendar's
 * primary one. Source: rule B28.
 */
export async function listPublicTypesOf(
  deps: Pick<AppointmentTypesDeps, 'db'>,
  calendar: Pick<PublicCalendar, 'calendar_id' | 'location' | 'policy'>,
): Promise<PublicAppointmentType[]> {
  const rows = await listAppointmentTypes(deps.db, calendar.calendar_id)
  return rows.map((row) => {
    const {
      calendar_id: _calendar,
      location_id: _location,
      stripe_price_id: _stripe,
      policy,
      ...visible
    } = toAppointmentType(row)
    const location = visible.is_online ? null : (visible.location ?? calendar.location)
    const hasPrice = (visible.price ?? 0) > 0
    return { ...visible, location, policy_text: describePolicy(policy ?? calendar.policy, { hasPrice }) }
  })
}

/**
 * Lists the types of one of the owner's calendars.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function listOwnTypes(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<AppointmentTypesResponse> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const types = await listAppointmentTypes(deps.db, calendarId)
  const providers = await getConnectedProviders(deps, calendarId)
  return { appointment_types: types.map(toAppointmentType), ...providers }
}

/**
 * Creates a type.
 * @throws ProblemError `calendar.*`, `location.not_found`, `request.invalid` when the calendar has reached the limit of
 * types
 */
export async function createType(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: Body,
): Promise<AppointmentType> {
  const id = randomUUID()
  return inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    if ((await countAppointmentTypes(trx, calendarId)) >= LIMITS.typesPerCalendar) {
      throw new ProblemError('request.invalid', [
        { path: 'name', message: `A calendar can have ${LIMITS.typesPerCalendar} appointment types.` },
      ])
    }
    const values = await toValues(trx, calendarId, body)
    if (values.location_id !== null) {
      await lockLocationForType(trx, ownerId, { calendarId, locationId: values.location_id })
    }
    await insertAppointmentType(trx, { calendarId, id }, values)
    return getType({ db: trx }, calendarId, id)
  })
}

/**
 * Changes the given fields of a type.
 * @throws ProblemError `calendar.*`, `appointment_type.not_found`, `location.not_found`, `request.changed_meanwhile`
 */
export async function updateType(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  key: TypeKey,
  { was, ...changes }: Changes,
): Promise<AppointmentType> {
  return inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, key.calendarId)
    const before = await getType({ db: trx }, key.calendarId, key.id)
    refuseStaleChange(before, was)
    const values = await toValues(trx, key.calendarId, mergeChanges(before, changes))
    if (values.location_id !== null && values.location_id !== before.location_id) {
      await lockLocationForType(trx, ownerId, { ...key, locationId: values.location_id })
    }
    await updateAppointmentType(trx, key, values, new Date(deps.now()))
    await announceFreedTime(deps, trx, key.calendarId)
    return getType({ db: trx }, key.calendarId, key.id)
  })
}

/**
 * Deletes a type.
 * @throws ProblemError `calendar.*`, `appointment_type.not_found`
 */
export async function deleteType(deps: AppointmentTypesDeps, ownerId: OwnerId, key: TypeKey): Promise<void> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  if (!(await deleteAppointmentTypeRow(deps.db, key))) throw new ProblemError('appointment_type.not_found')
}

/**
 * Counts the future appointments that deleting the type would affect.
 * @throws ProblemError `calendar.*`, `appointment_type.not_found`
 */
export async function getTypeUsage(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  key: TypeKey,
): Promise<AppointmentTypeUsage> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  await getType(deps, key.calendarId, key.id)
  return { future_appointments: await countFutureAppointments(deps.db, key, new Date(deps.now())) }
}

function mergeChanges(before: AppointmentType, changes: Omit<Changes, 'was'>): Body {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(sent) }
}

async function getType(
  deps: Pick<AppointmentTypesDeps, 'db'>,
  calendarId: string,
  id: string,
): Promise<AppointmentType> {
  const row = await findAppointmentType(deps.db, calendarId, id)
  if (row === null) throw new ProblemError('appointment_type.not_found')
  return toAppointmentType(row)
}

/**
 * Converts a form to the stored values. Without a payment provider, price, price id and the requirement to pay are
 * cleared. Without Stripe, the price id is cleared. An online type has no location. Source: rule C13.
 */
async function toValues(trx: Trx, calendarId: string, body: Body): Promise<AppointmentTypeValues> {
  const providers = await getConnectedProviders({ db: trx }, calendarId)
  const canCharge = providers.stripe_connected || providers.paypal_connected
  return {
    name: body.name,
    durationMinutes: body.duration,
    description: body.description || null,
    color: body.color,
    price_cents: canCharge && body.price !== null ? Math.round(body.price * 100) : null,
    stripe_price_id: providers.stripe_connected ? body.stripe_price_id || null : null,
    is_online: body.is_online,
    location_id: body.is_online ? null : body.location_id,
    payment_required: canCharge && body.payment_required,
    policy: body.policy,
  }
}

function toAppointmentType(row: AppointmentTypeRow): AppointmentType {
  return {
    id: row.id,
    calendar_id: row.calendar_id,
    name: row.name,
    duration: row.duration,
    description: row.description,
    color: row.color,
    price: row.price_cents === null ? null : row.price_cents / 100,
    stripe_price_id: row.stripe_price_id,
    is_online: row.is_online,
    location_id: row.location_id,
    payment_required: row.payment_required,
    policy: row.policy,
    location:
      row.location_id === null || row.location_name === null
        ? null
        : {
            id: row.location_id,
            name: row.location_name,
            address: row.location_address,
            type: row.location_type ?? 'physical',
          },
  }
}
