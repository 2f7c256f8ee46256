import type { z } from 'zod'
import type { SetupResponse, setupChanges } from '#contract/accounts/setup.ts'
import { appointmentTypeBody } from '#contract/availability/appointment-types.ts'
import { createCalendarBody } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { splitName, toProfessionalNames } from '#core/accounts/person-name.ts'
import { SETUP_STEPS } from '#core/accounts/setup-steps.ts'
import { omitUndefined } from '#core/shared/defined-fields.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { updateProfile } from '#server/areas/accounts/profile/repository.ts'
import {
  type AppointmentTypesDeps,
  createTypeWithin,
  hasSameTypesWithin,
} from '#server/areas/availability/appointment-types/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  findTestAppointment,
  toTestAppointment,
} from '#server/records/appointments/test-appointment-repository.ts'
import { changeCalendarWithin } from '#server/records/calendars/change-calendar.ts'
import { toStoredTimeZone } from '#server/records/calendars/to-stored-time-zone.ts'
import {
  type CalendarsDeps,
  createCalendarWithin,
  listOwnCalendars,
  lockAccount,
} from '#server/records/calendars/use-cases.ts'
import { findSetup, findSetupFacts, type SetupColumns, type SetupRow, updateSetup } from './repository.ts'

export type SetupDeps = CalendarsDeps & AppointmentTypesDeps

type Changes = z.output<typeof setupChanges>

/** Returns how far the owner has come. Connecting an external calendar completes its step, wherever the owner did it. */
export async function getSetup(
  { db, now }: Pick<SetupDeps, 'db' | 'now'>,
  ownerId: OwnerId,
): Promise<SetupResponse> {
  const setup = await findSetup(db, ownerId)
  if (setup === null) return { setup: null }
  const { calendarId } = setup
  const { hasBooking, hasExternalCalendar, hasLocation, hasHolidays } = await findSetupFacts(
    db,
    ownerId,
    calendarId,
  )
  const test = calendarId === null ? null : await findTestAppointment(db, calendarId, new Date(now()))
  return {
    setup: {
      steps: { ...setup.steps, ...(hasExternalCalendar ? { external_calendar: 'done' } : {}) },
      calendar_id: calendarId,
      is_dismissed: setup.dismissedAt !== null,
      has_booking: hasBooking,
      has_location: hasLocation,
      has_holidays: hasHolidays,
      test_appointment: test === null ? null : toTestAppointment(test),
    },
  }
}

/**
 * Carries out steps of the set-up, all or none. The account is locked, so two tabs create one calendar and one set of
 * services. Source: rules U32 and U33.
 * @throws ProblemError `setup.not_found`, `setup.calendar_missing`, `setup.services_saved`, `calendar.limit_reached`,
 * `calendar.time_zone_unknown`
 */
export async function changeSetup(
  deps: SetupDeps,
  ownerId: OwnerId,
  changes: Changes,
): Promise<SetupResponse> {
  const { services } = changes
  return inTransaction(deps.db, async (trx) => {
    await lockAccount(trx, ownerId)
    const setup = await findSetup(trx, ownerId)
    if (setup === null) throw new ProblemError('setup.not_found')
    // A tab that skips the first step sends what it showed. Another tab may have created the calendar with other values.
    const isSkippedLate = setup.calendarId !== null && changes.steps?.you === 'skipped'
    const you = isSkippedLate ? undefined : changes.you
    const calendarId =
      you === undefined ? setup.calendarId : await setUpCalendar(deps, trx, ownerId, setup, you)
    if (services !== undefined) await saveServices(trx, ownerId, { ...setup, calendarId }, services)
    const columns = toColumns(setup, changes, new Date(deps.now()))
    await updateSetup(trx, ownerId, { ...columns, calendar_id: calendarId })
    return getSetup({ ...deps, db: trx }, ownerId)
  })
}

/** Creates the services. If another tab has saved its own, refuses services that the calendar does not have. */
async function saveServices(
  trx: Trx,
  ownerId: OwnerId,
  { calendarId, steps }: SetupRow,
  services: NonNullable<Changes['services']>,
): Promise<void> {
  if (calendarId === null) throw new ProblemError('setup.calendar_missing')
  const bodies = services.map((service) => appointmentTypeBody.parse(service))
  if (steps.services === 'done') {
    if (await hasSameTypesWithin(trx, calendarId, bodies)) return
    throw new ProblemError('setup.services_saved')
  }
  for (const body of bodies) await createTypeWithin(trx, ownerId, calendarId, body)
}

/** Returns the columns to store. Another tab cannot skip a step that is already done. */
function toColumns(
  { steps, dismissedAt }: SetupRow,
  { you, services, steps: asked, is_dismissed }: Changes,
  now: Date,
): SetupColumns {
  const carriedOut: SetupColumns = {
    ...(you === undefined ? {} : { you: 'done' }),
    ...(services === undefined ? {} : { services: 'done' }),
  }
  const wanted: SetupColumns = { ...carriedOut, ...omitUndefined(asked ?? {}) }
  const done = SETUP_STEPS.filter((step) => steps[step] === 'done')
  return {
    ...wanted,
    ...Object.fromEntries(done.map((step) => [step, 'done'])),
    ...(is_dismissed === undefined ? {} : { dismissed_at: is_dismissed ? (dismissedAt ?? now) : null }),
  }
}

/**
 * Stores the owner's name and zone, and creates the calendar unless the owner already has one. Returns the calendar's
 * id. The profile gets the first name without the title; customers read the name as it was typed. Source: rule U31.
 * Changes only what the request has. A calendar that the owner has created elsewhere gets a category, if it has none.
 */
async function setUpCalendar(
  deps: SetupDeps,
  trx: Trx,
  ownerId: OwnerId,
  setup: SetupRow,
  you: NonNullable<Changes['you']>,
): Promise<string> {
  const { name, profession, hour_cycle } = you
  const timezone = you.time_zone === undefined ? undefined : toStoredTimeZone(you.time_zone)
  await updateProfile(
    trx,
    ownerId,
    omitUndefined({ ...toProfileNames(name), time_zone: timezone }),
    new Date(deps.now()),
  )
  const oldest = setup.calendarId === null ? await findOldestCalendar(deps, trx, ownerId) : null
  if (oldest !== null) {
    const changes = oldest.category ? {} : omitUndefined({ category: profession })
    await changeCalendarWithin(deps, trx, ownerId, oldest.id, changes)
    return oldest.id
  }
  const id =
    setup.calendarId ?? (await createFirstCalendar(deps, trx, ownerId, { name, timezone, hour_cycle }))
  const changes = { ...(name === undefined ? {} : toProfessionalNames(name)), category: profession, timezone }
  await changeCalendarWithin(deps, trx, ownerId, id, omitUndefined(changes))
  return id
}

function toProfileNames(name: string | undefined) {
  if (name === undefined) return {}
  const { firstName, lastName } = splitName(name)
  return { full_name: name, first_name: firstName, last_name: lastName }
}

/** Finds a calendar that the owner has created outside the set-up. */
async function findOldestCalendar(deps: SetupDeps, trx: Trx, ownerId: OwnerId) {
  const calendars = await listOwnCalendars({ ...deps, db: trx }, ownerId)
  return calendars.at(-1) ?? null
}

/** Customers are not asked for an appointment title in a calendar that the set-up creates. */
async function createFirstCalendar(
  deps: SetupDeps,
  trx: Trx,
  ownerId: OwnerId,
  {
    name,
    ...calendar
  }: {
    readonly name: string | undefined
    readonly timezone: string | undefined
    readonly hour_cycle: HourCycle | undefined
  },
): Promise<string> {
  if (name === undefined) throw new ProblemError('auth.name_too_short')
  const body = createCalendarBody.parse({
    ...calendar,
    name: name.slice(0, LIMITS.calendarName),
    appointment_title_required: false,
  })
  return (await createCalendarWithin(deps, trx, ownerId, body)).id
}
