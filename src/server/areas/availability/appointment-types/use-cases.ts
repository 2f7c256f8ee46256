import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import {
  type AppointmentType,
  type AppointmentTypesResponse,
  type AppointmentTypeUsage,
  appointmentTypeBody,
  type appointmentTypeChanges,
  type appointmentTypePreviewBody,
  type PublicAppointmentType,
} from '#contract/availability/appointment-types.ts'
import type { AvailabilityPreview } from '#contract/availability/opening-hours.ts'
import type { PublicCalendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { listTypesForLink } from '#core/availability/linked-types.ts'
import { findOfferedSeries } from '#core/slots/series-rule.ts'
import { changeLimits } from '#server/areas/availability/booking-limits/change-limits.ts'
import { lockLocationForType } from '#server/areas/availability/locations/use-cases.ts'
import { previewOfferedTimes } from '#server/areas/availability/opening-hours/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inRolledBackTransaction, inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import { requestSessionEventWritesOfType } from '#server/records/appointments/outbox-repository.ts'
import {
  type CalendarsDeps,
  getConnectedProviders,
  getOwnCalendar,
  getPublicCalendar,
  lockOwnCalendar,
} from '#server/records/calendars/use-cases.ts'
import { announceFreedTime, type FreedTimesDeps } from '#server/records/freed-times/use-cases.ts'
import { type BookableFields, loadBookableFields } from '#server/records/slots/bookable-dates.ts'
import { findMostSeatsTaken, updateSessionSeats } from '#server/records/slots/sessions-repository.ts'
import { changeTypeHours } from './hours-repository.ts'
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
  updateTypeOrder,
} from './repository.ts'

export type AppointmentTypesDeps = Pick<CalendarsDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'> &
  FreedTimesDeps
type Body = z.output<typeof appointmentTypeBody>
type Changes = z.output<typeof appointmentTypeChanges>
type TypeKey = { readonly calendarId: string; readonly id: string }

/**
 * Lists the types that a visitor can choose from, in the owner's order. `linkedTypeId` is the type of the link that they
 * opened. Source: rules T65 and T66.
 * @throws ProblemError `calendar.not_found`
 */
export async function listPublicTypes(
  deps: Pick<AppointmentTypesDeps, 'db' | 'now' | 'baseUrl' | 'defaultTier'>,
  slug: string,
  linkedTypeId: string | null,
): Promise<PublicAppointmentType[]> {
  return listPublicTypesOf(deps, await getPublicCalendar(deps, slug), linkedTypeId)
}

/**
 * Like `listPublicTypes`, for a calendar that is already loaded. Each type has its own location or the calendar's
 * primary one. Source: rule B28.
 */
export async function listPublicTypesOf(
  deps: Pick<AppointmentTypesDeps, 'db' | 'now'>,
  calendar: Pick<
    PublicCalendar,
    | 'calendar_id'
    | 'location'
    | 'policy'
    | 'timezone'
    | 'payment_required'
    | 'email_confirmation_required'
    | keyof BookableFields
  >,
  linkedTypeId: string | null,
): Promise<PublicAppointmentType[]> {
  const rows = listTypesForLink(await listAppointmentTypes(deps.db, calendar.calendar_id), linkedTypeId)
  const windows = rows.flatMap(({ booking_window }) => booking_window ?? [])
  const key = { id: calendar.calendar_id, timezone: calendar.timezone }
  const toFields = await loadBookableFields(deps.db, key, windows, deps.now())
  const { bookable_from, bookable_until, bookable_text } = calendar
  return rows.map((row) => {
    const type = toAppointmentType(row)
    const hasPrice = (type.price ?? 0) > 0
    return {
      id: type.id,
      name: type.name,
      duration: type.duration,
      description: type.description,
      color: type.color,
      price: type.price,
      fee_note: type.fee_note,
      is_online: type.is_online,
      payment_required: type.payment_required,
      is_listed: type.is_listed,
      location: type.is_online ? null : (type.location ?? calendar.location),
      ...(type.booking_window === null
        ? { bookable_from, bookable_until, bookable_text }
        : toFields(type.booking_window)),
      policy_text: describePolicy(type.policy ?? calendar.policy, { hasPrice }),
      series: findOfferedSeries({
        series_rule: row.series_rule,
        hasPrice,
        requiresPayment: calendar.payment_required || type.payment_required,
        confirmsEmail: calendar.email_confirmation_required,
      }),
    }
  })
}

/**
 * Lists the types of one of the owner's calendars, in the owner's order.
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
 * Creates a type, which comes last in the order.
 * @throws ProblemError `calendar.*`, `location.not_found`, `request.invalid` when the calendar has reached the limit of
 * types
 */
export async function createType(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: Body,
): Promise<AppointmentType> {
  return inTransaction(deps.db, (trx) => createTypeWithin(trx, ownerId, calendarId, body))
}

/**
 * Like `createType`, in the caller's transaction.
 * @throws ProblemError `calendar.*`, `location.not_found`, `request.invalid`, `booking_limits.too_many`
 */
export async function createTypeWithin(
  trx: Trx,
  ownerId: OwnerId,
  calendarId: string,
  body: Body,
): Promise<AppointmentType> {
  const id = randomUUID()
  await lockOwnCalendar(trx, ownerId, calendarId)
  if ((await countAppointmentTypes(trx, calendarId)) >= LIMITS.typesPerCalendar) {
    throw new ProblemError('request.invalid', [
      { path: 'name', message: `A calendar can have ${LIMITS.typesPerCalendar} appointment types.` },
    ])
  }
  const values = toValues(await getConnectedProviders({ db: trx }, calendarId), body)
  if (values.location_id !== null) {
    await lockLocationForType(trx, ownerId, { calendarId, locationId: values.location_id })
  }
  await insertAppointmentType(trx, { calendarId, id }, values)
  await changeLimits(trx, { calendarId, typeId: id }, body.booking_limits)
  await changeTypeHours(trx, { calendarId, id }, body.hours)
  return getType({ db: trx }, calendarId, id)
}

/** True when the calendar has, for each body, a type with its name, duration, price and fee note. */
export async function hasSameTypesWithin(
  trx: Trx,
  calendarId: string,
  bodies: readonly Body[],
): Promise<boolean> {
  const rows = await listAppointmentTypes(trx, calendarId)
  const providers = await getConnectedProviders({ db: trx }, calendarId)
  return bodies.every((body) => {
    const { name, duration, price_cents, fee_note } = toValues(providers, body)
    return rows.some(
      (row) =>
        row.name === name &&
        row.duration === duration &&
        row.price_cents === price_cents &&
        row.fee_note === fee_note,
    )
  })
}

/**
 * Changes the given fields of a type.
 * @throws ProblemError `calendar.*`, `appointment_type.not_found`, `location.not_found`, `request.changed_meanwhile`,
 *   `request.invalid` when more seats are taken, `booking_limits.too_many`
 */
export async function updateType(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  key: TypeKey,
  changes: Changes,
): Promise<AppointmentType> {
  return inTransaction(deps.db, async (trx) => {
    await updateTypeWithin(deps, trx, ownerId, key, changes)
    await announceFreedTime(deps, trx, key.calendarId)
    return getType({ db: trx }, key.calendarId, key.id)
  })
}

/** Like `updateType`, in the caller's transaction, and without announcing times that it frees. */
async function updateTypeWithin(
  deps: Pick<AppointmentTypesDeps, 'now'>,
  trx: Trx,
  ownerId: OwnerId,
  key: TypeKey,
  { was, ...changes }: Changes,
): Promise<void> {
  await lockOwnCalendar(trx, ownerId, key.calendarId)
  const before = await getType({ db: trx }, key.calendarId, key.id)
  refuseStaleChange(before, was)
  const values = toValues(
    await getConnectedProviders({ db: trx }, key.calendarId),
    mergeChanges(before, changes),
  )
  if (values.location_id !== null && values.location_id !== before.location_id) {
    await lockLocationForType(trx, ownerId, { ...key, locationId: values.location_id })
  }
  await changeSeats(deps, trx, key, values.seats)
  await updateAppointmentType(trx, key, values, new Date(deps.now()))
  await changeLimits(trx, { calendarId: key.calendarId, typeId: key.id }, changes.booking_limits)
  await changeTypeHours(trx, key, changes.hours)
}

/** The fields of a new type that don't matter to its times. */
const NEW_TYPE = appointmentTypeBody.parse({ name: 'Preview' })

/**
 * Lists the times that customers would be offered in seven days if a type had these rules. Saves the rules, looks as a customer
 * does, and rolls back, so that the answer is what customers would get. Source: rule T71.
 * @throws ProblemError as `createType`, `updateType` and `previewOfferedTimes`
 */
export async function previewType(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  calendarId: string,
  { appointment_type_id: typeId, from, ...rules }: z.output<typeof appointmentTypePreviewBody>,
): Promise<AvailabilityPreview> {
  // A series rule does not change the times. But the stored rule would refuse seats, even if the form no longer has it.
  const changes = { ...rules, series_rule: null }
  return inRolledBackTransaction(deps.db, async (trx) => {
    if (typeId !== undefined) await updateTypeWithin(deps, trx, ownerId, { calendarId, id: typeId }, changes)
    const id = typeId ?? (await createTypeWithin(trx, ownerId, calendarId, { ...NEW_TYPE, ...rules })).id
    return previewOfferedTimes({ ...deps, db: trx }, ownerId, calendarId, { from, appointmentTypeId: id })
  })
}

/**
 * Changes the seats of future sessions. The caller has locked the calendar, so nobody takes a seat meanwhile. Source: rule B55.
 * @throws ProblemError `request.invalid` when more seats of a session are taken
 */
async function changeSeats(
  { now }: Pick<AppointmentTypesDeps, 'now'>,
  trx: Trx,
  { calendarId, id: typeId }: TypeKey,
  seats: number | null,
): Promise<void> {
  const ofType = { calendarId, typeId, now: new Date(now()) }
  const most = await findMostSeatsTaken(trx, ofType)
  if (most > (seats ?? 1)) {
    const message = `${most} seats of a session are taken. Please keep at least ${most} seats.`
    throw new ProblemError('request.invalid', [{ path: 'seats', message }])
  }
  if (seats === null) return
  await updateSessionSeats(trx, ofType, seats)
  await requestSessionEventWritesOfType(trx, ofType)
}

/**
 * Puts the types of a calendar in the order of `ids`. Source: rule C18.
 * @throws ProblemError `calendar.*`
 */
export async function orderTypes(
  deps: AppointmentTypesDeps,
  ownerId: OwnerId,
  calendarId: string,
  ids: readonly string[],
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockOwnCalendar(trx, ownerId, calendarId)
    await updateTypeOrder(trx, calendarId, ids)
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
  const { id: _id, calendar_id: _calendar, location: _location, ...fields } = before
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...fields, ...Object.fromEntries(sent) }
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
 * cleared. Without Stripe, the price id is cleared. A price clears the fee note. An online type has no location. Source:
 * rules C13 and C19.
 * @throws ProblemError `request.invalid` when a type with seats offers a series
 */
function toValues(
  providers: Awaited<ReturnType<typeof getConnectedProviders>>,
  body: Body,
): AppointmentTypeValues {
  const canCharge = providers.stripe_connected || providers.paypal_connected
  refuseSeriesOfSessions(body)
  const { price, booking_limits: _limits, hours: _hours, ...fields } = body
  const priceCents = canCharge && price !== null ? Math.round(price * 100) : null
  return {
    ...fields,
    price_cents: priceCents,
    fee_note: priceCents === null ? fields.fee_note : null,
    stripe_price_id: providers.stripe_connected ? fields.stripe_price_id : null,
    location_id: fields.is_online ? null : fields.location_id,
    payment_required: canCharge && fields.payment_required,
  }
}

/** A customer of a session books each date on its own. Source: rule B47. */
function refuseSeriesOfSessions({ seats, series_rule: rule }: Pick<Body, 'seats' | 'series_rule'>): void {
  if (seats === null || rule === null) return
  const message = 'A type with seats can’t repeat. Please remove its seats first.'
  throw new ProblemError('request.invalid', [{ path: 'series_rule', message }])
}

function toAppointmentType(row: AppointmentTypeRow): AppointmentType {
  const { price_cents, location_name, location_address, location_type, ...stored } = row
  const { position: _position, created_at: _created, updated_at: _updated, ...type } = stored
  return {
    ...type,
    price: price_cents === null ? null : price_cents / 100,
    location:
      type.location_id === null || location_name === null
        ? null
        : {
            id: type.location_id,
            name: location_name,
            address: location_address,
            type: location_type ?? 'physical',
          },
  }
}
