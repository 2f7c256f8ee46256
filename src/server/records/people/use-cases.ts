import type { z } from 'zod'
import type { Calendar } from '#contract/calendars/calendars.ts'
import {
  type changePersonBody,
  MAX_LISTED_OVERLAPS,
  type OverlapsResponse,
  type PeopleResponse,
  type personQuery,
} from '#contract/calendars/people.ts'
import { isSameName } from '#core/shared/same-name.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { moveAppointmentsToPerson } from '#server/records/appointments/taken-time-repository.ts'
import { translateBookingConflicts } from '#server/records/appointments/translate-booking-conflicts.ts'
import {
  deletePeopleWithoutCalendar,
  listCalendarsByPerson,
  listPeople,
  lockPeople,
  markOverlapsDismissed,
  type Person,
  updatePersonOfCalendar,
} from '#server/records/calendars/person-repository.ts'
import {
  type CalendarsDeps,
  getCalendarSettings,
  getOrCreatePerson,
  getOwnCalendar,
  lockAccount,
  lockOwnCalendar,
} from '#server/records/calendars/use-cases.ts'
import { reassignCalendarAndAnnounce } from '#server/records/freed-times/use-cases.ts'
import { listExistingOverlaps, listOverlapsWithPerson, type OverlapsWithTotal } from './repository.ts'

export type PeopleDeps = CalendarsDeps

/** Lists the people whose time is booked, each with their calendars. Source: rule T38. */
export async function getPeople({ db }: Pick<PeopleDeps, 'db'>, ownerId: OwnerId): Promise<PeopleResponse> {
  const people = await listPeople(db, ownerId)
  const calendarsOf = Map.groupBy(await listCalendarsByPerson(db, ownerId), ({ host_id }) => host_id)
  return {
    people: people.map(({ id, name, isOwner }) => ({
      id,
      name,
      is_owner: isOwner,
      calendars: (calendarsOf.get(id) ?? []).map((calendar) => ({ id: calendar.id, name: calendar.name })),
    })),
  }
}

/**
 * Lists the upcoming appointments of a calendar that would overlap other appointments of a person if the calendar were
 * assigned to that person. Source: rule T41.
 * @throws ProblemError `calendar.*`, `person.not_found`
 */
export async function getOverlapsWithPerson(
  deps: Pick<PeopleDeps, 'db' | 'now'>,
  ownerId: OwnerId,
  calendarId: string,
  who: z.output<typeof personQuery>,
): Promise<OverlapsResponse> {
  await getOwnCalendar(deps, ownerId, calendarId)
  const person = await findPerson(deps.db, ownerId, who)
  // A new person has no appointments.
  if (person === null) return { total: 0, overlaps: [] }
  const now = new Date(deps.now())
  return toResponse(
    await listOverlapsWithPerson(deps.db, calendarId, {
      personId: person.id,
      now,
      limit: MAX_LISTED_OVERLAPS,
    }),
  )
}

/**
 * Assigns a calendar and its upcoming appointments to another person. Past appointments remain with the previous
 * person. Bookings on the calendar and for both people wait until the transaction ends. Source: rule T41.
 * @throws ProblemError `calendar.*`, `person.not_found`, `person.overlaps`, `request.changed_meanwhile`
 */
export async function changePersonOfCalendar(
  deps: PeopleDeps,
  ownerId: OwnerId,
  calendarId: string,
  { was, ...who }: z.output<typeof changePersonBody>,
): Promise<Calendar> {
  // Report a violated exclusion constraint with the same refusal.
  const taken = { time: 'person.overlaps', place: 'person.overlaps' } as const
  return translateBookingConflicts(taken, () =>
    inTransaction(deps.db, async (trx) => {
      const inside = { ...deps, db: trx }
      const now = new Date(deps.now())
      await lockAccount(trx, ownerId)
      await lockOwnCalendar(trx, ownerId, calendarId)
      const before = await getCalendarSettings(inside, ownerId, calendarId)
      if (was !== undefined && was !== before.person.id) throw new ProblemError('request.changed_meanwhile')
      const person =
        (await findPerson(trx, ownerId, who)) ??
        (await getOrCreatePerson(trx, ownerId, { name: who.name ?? '', createdAt: now }))
      if (person.id === before.person.id) return before
      await lockPeople(trx, [before.person.id, person.id])
      const { total } = await listOverlapsWithPerson(trx, calendarId, { personId: person.id, now, limit: 1 })
      if (total > 0) throw new ProblemError('person.overlaps')
      await moveAppointmentsToPerson(trx, calendarId, { personId: person.id, now })
      await reassignCalendarAndAnnounce(deps, trx, calendarId, () =>
        updatePersonOfCalendar(trx, calendarId, { personId: person.id, updatedAt: now }),
      )
      await deletePeopleWithoutCalendar(trx, ownerId)
      return getCalendarSettings(inside, ownerId, calendarId)
    }),
  )
}

/**
 * Finds an existing person by id or by name. Returns null for an unknown name.
 * @throws ProblemError `person.not_found`
 */
async function findPerson(
  db: Db,
  ownerId: OwnerId,
  { person_id: id, name = '' }: z.output<typeof personQuery>,
): Promise<Person | null> {
  const people = await listPeople(db, ownerId)
  if (id === undefined) return people.find((person) => isSameName(person.name, name)) ?? null
  const person = people.find((known) => known.id === id)
  if (person === undefined) throw new ProblemError('person.not_found')
  return person
}

/**
 * Lists upcoming appointments that already overlapped when the product began to prevent overlaps. The list is empty
 * once the owner has dismissed it. Source: rule T42.
 */
export async function getExistingOverlaps(
  deps: Pick<PeopleDeps, 'db' | 'now'>,
  ownerId: OwnerId,
): Promise<OverlapsResponse> {
  const now = new Date(deps.now())
  return toResponse(await listExistingOverlaps(deps.db, ownerId, { now, limit: MAX_LISTED_OVERLAPS }))
}

/** Dismisses the owner's list of overlapping appointments. Source: rule T42. */
export async function dismissExistingOverlaps(
  deps: Pick<PeopleDeps, 'db' | 'now'>,
  ownerId: OwnerId,
): Promise<void> {
  await markOverlapsDismissed(deps.db, ownerId, new Date(deps.now()))
}

function toResponse({ total, overlaps }: OverlapsWithTotal): OverlapsResponse {
  return { total, overlaps: [...overlaps] }
}
