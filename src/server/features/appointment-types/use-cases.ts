import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  AppointmentType,
  appointmentTypeBody,
  appointmentTypeChanges,
  PublicAppointmentType,
} from '#contract/appointment-types.ts'
import { LIMITS } from '#contract/limits.ts'
import {
  type CalendarsDeps,
  getOwnCalendar,
  getPublicCalendar,
  getPublicPaymentProviders,
} from '#server/features/calendars/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  type AppointmentTypeRow,
  type AppointmentTypeValues,
  countAppointmentTypes,
  deleteAppointmentTypeRow,
  findAppointmentType,
  insertAppointmentType,
  listAppointmentTypes,
  lockCalendarOfTypes,
  updateAppointmentType,
} from './repository.ts'

export type AppointmentTypesDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl'>
type Body = z.output<typeof appointmentTypeBody>
type Changes = z.output<typeof appointmentTypeChanges>

/**
 * What a visitor can choose from, by name.
 * @throws ProblemError `calendar.not_found`
 */
export async function listPublicTypes(
  deps: AppointmentTypesDeps,
  slug: string,
): Promise<PublicAppointmentType[]> {
  return listPublicTypesOf(deps, (await getPublicCalendar(deps, slug)).calendar_id)
}

/** The same, of a calendar that was found before. */
export async function listPublicTypesOf(
  deps: Pick<AppointmentTypesDeps, 'db'>,
  calendarId: string,
): Promise<PublicAppointmentType[]> {
  const rows = await listAppointmentTypes(deps.db, calendarId)
  return rows.map((row) => {
    const { calendar_id: _calendar, location_id: _location, ...visible } = toAppointmentType(row)
    return visible
  })
}

/** @throws ProblemError `calendar.not_found`, `calendar.forbidden` */
export async function listOwnTypes(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<AppointmentType[]> {
  await getOwnCalendar(deps, ownerId, calendarId)
  return (await listAppointmentTypes(deps.db, calendarId)).map(toAppointmentType)
}

/** @throws ProblemError `calendar.*`, `request.invalid` when the calendar has as many types as it may */
export async function createType(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: Body,
): Promise<AppointmentType> {
  const values = await toValues(deps, ownerId, calendarId, body)
  const id = randomUUID()
  return inTransaction(deps.db, async (trx) => {
    if (!(await lockCalendarOfTypes(trx, calendarId))) throw new ProblemError('calendar.not_found')
    if ((await countAppointmentTypes(trx, calendarId)) >= LIMITS.typesPerCalendar) {
      throw new ProblemError('request.invalid', [
        { path: 'name', message: `A calendar can have ${LIMITS.typesPerCalendar} appointment types.` },
      ])
    }
    await insertAppointmentType(trx, { calendarId, id }, values)
    return getType({ db: trx }, calendarId, id)
  })
}

/** @throws ProblemError `calendar.*`, `appointment_type.not_found` */
export async function updateType(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  key: { calendarId: string; id: string },
  changes: Changes,
): Promise<AppointmentType> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  const before = await getType(deps, key.calendarId, key.id)
  const values = await toValues(deps, ownerId, key.calendarId, {
    name: changes.name ?? before.name,
    duration: changes.duration ?? before.duration,
    description: changes.description === undefined ? before.description : changes.description,
    color: changes.color ?? before.color,
    price: changes.price === undefined ? before.price : changes.price,
    is_online: changes.is_online ?? before.is_online,
    payment_required: changes.payment_required ?? before.payment_required,
  })
  if (!(await updateAppointmentType(deps.db, key, values, new Date(deps.now())))) {
    throw new ProblemError('appointment_type.not_found')
  }
  return getType(deps, key.calendarId, key.id)
}

/** @throws ProblemError `calendar.*`, `appointment_type.not_found` */
export async function deleteType(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  key: { calendarId: string; id: string },
): Promise<void> {
  await getOwnCalendar(deps, ownerId, key.calendarId)
  if (!(await deleteAppointmentTypeRow(deps.db, key))) throw new ProblemError('appointment_type.not_found')
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

/** Without a provider there is nothing to pay with: price and payment_required are cleared (spec §5). */
async function toValues(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: Body,
): Promise<AppointmentTypeValues> {
  const calendar = await getOwnCalendar(deps, ownerId, calendarId)
  const providers = await getPublicPaymentProviders(deps, calendar.slug)
  const canCharge = providers.stripe_connected || providers.paypal_connected
  return {
    name: body.name,
    durationMinutes: body.duration,
    description: body.description || null,
    color: body.color,
    priceCents: canCharge && body.price !== null ? Math.round(body.price * 100) : null,
    isOnline: body.is_online,
    paymentRequired: canCharge && body.payment_required,
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
    is_online: row.is_online,
    location_id: row.location_id,
    payment_required: row.payment_required,
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
