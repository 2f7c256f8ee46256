import type { z } from 'zod'
import type { MoveTermsResponse, moveByCustomerBody } from '#contract/appointments/customer-moves.ts'
import type { MoveAppointmentResponse } from '#contract/appointments/moves.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { SlotCountsPerDay, SlotsResponse } from '#contract/slots/slots.ts'
import { checkCustomerMove, type MoveByCustomer } from '#core/appointments/check-policy.ts'
import { LEGACY_POLICY } from '#core/appointments/policy.ts'
import { isInAnyInterval } from '#core/shared/interval.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import type { ExternalCheckDeps, MoveDeps } from '#server/areas/appointments/bookings/deps.ts'
import {
  getLinkedAppointment,
  type ManagedAppointmentsDeps,
  type OpenedLink,
} from '#server/areas/appointments/customer-page/use-cases.ts'
import {
  findOpenTimeOffer,
  listAbsencesForAppointment,
} from '#server/areas/appointments/whole-days/repository.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { countMovesByCustomer } from '#server/records/history/use-cases.ts'
import { keepingRefusal } from '#server/records/refusals/use-cases.ts'
import {
  countSlotsPerDay,
  getSlots,
  isStartOffered,
  listFreeStartTimes,
} from '#server/records/slots/use-cases.ts'
import { getCurrentTime, moveAppointment } from './use-cases.ts'

export type CustomerMoveDeps = MoveDeps & ExternalCheckDeps & ManagedAppointmentsDeps

/**
 * Returns whether the customer may move their appointment now, by the policy of the booking. Source: rule A19.
 * @throws ProblemError `manage.*`
 */
export async function getMoveTerms(deps: CustomerMoveDeps, opened: OpenedLink): Promise<MoveTermsResponse> {
  const details = await getLinkedAppointment(deps, opened)
  const nowMs = deps.now()
  const startsAtMs = details.starts_at.getTime()
  if (details.status !== 'confirmed' || startsAtMs <= nowMs) return refused('state')
  const terms = await judge(deps.db, details, { startsAtMs, nowMs })
  if (!terms.ok) return refused(terms.reason)
  return {
    obstacle: null,
    until: new Date(terms.untilMs).toISOString(),
    times_left: terms.timesLeft,
    offer: await findFreeOffer(deps, details),
  }
}

function refused(obstacle: NonNullable<MoveTermsResponse['obstacle']>): MoveTermsResponse {
  return { obstacle, until: null, times_left: null, offer: null }
}

/**
 * Finds the times that the owner has offered for a move and that are still free, and the date at which the page should
 * open. Source: rule A23.
 */
async function findFreeOffer(
  deps: CustomerMoveDeps,
  details: Appointment,
): Promise<MoveTermsResponse['offer']> {
  const { calendar_id: calendarId, id, slug, appointment_type_id: typeId } = details
  const offer = await findOpenTimeOffer(deps.db, { calendarId, id })
  if (offer === null) return null
  const { own } = await getOwnQuestion(deps, details)
  const times: string[] = []
  for (const time of offer.times) {
    if (await isStartOffered(deps, { slug, typeId, startsAtMs: Date.parse(time), own })) times.push(time)
  }
  const opensAt = times[0] ?? (await findFirstAfter(deps, details, offer.absence.endMs))
  return { times, message: offer.message, opens_at: opensAt }
}

/** Finds the first free time at or after `afterMs`; returns `afterMs` itself when no time is free. */
async function findFirstAfter(
  deps: CustomerMoveDeps,
  details: Appointment,
  afterMs: number,
): Promise<string> {
  const { startsMs } = await listFreeStartTimes(deps, {
    ...(await getOwnQuestion(deps, details)),
    firstDate: localDateOf(afterMs, details.time_zone),
    dayCount: LIMITS.daysRange,
  })
  return new Date(startsMs.find((startMs) => startMs >= afterMs) ?? afterMs).toISOString()
}

/**
 * Lists the times of a day to which the appointment can be moved: those offered to customers when the appointment's own
 * time is ignored.
 * @throws ProblemError `manage.*`
 */
export async function listMoveSlots(
  deps: CustomerMoveDeps,
  opened: OpenedLink,
  query: { readonly date: string; readonly time_zone?: string | undefined },
): Promise<SlotsResponse> {
  const details = await getLinkedAppointment(deps, opened)
  const { date, time_zone: timeZone } = query
  return getSlots(deps, { ...(await getOwnQuestion(deps, details)), timeZone, date })
}

/**
 * Counts the times on each day to which the appointment can be moved.
 * @throws ProblemError `manage.*`, `request.invalid`
 */
export async function listMoveDays(
  deps: CustomerMoveDeps,
  opened: OpenedLink,
  query: { readonly from: string; readonly to: string; readonly time_zone?: string | undefined },
): Promise<SlotCountsPerDay> {
  const details = await getLinkedAppointment(deps, opened)
  const { from, to, time_zone: timeZone } = query
  return countSlotsPerDay(deps, { ...(await getOwnQuestion(deps, details)), timeZone, from, to })
}

/**
 * Builds the slot query for an appointment that is moved. Excludes the days on which the owner is away and has offered
 * this customer other times.
 */
async function getOwnQuestion(
  deps: CustomerMoveDeps,
  { calendar_id: calendarId, id, slug, appointment_type_id: typeId }: Appointment,
) {
  const own = await getCurrentTime(deps, { calendarId, id })
  const absences = await listAbsencesForAppointment(deps.db, { calendarId, id })
  return { slug, appointmentTypeId: typeId ?? undefined, own, absences }
}

/**
 * Moves an appointment for its customer. A link from an older email works too, because it opens the appointment as it is now.
 * Source: rule A19.
 * @throws ProblemError `manage.*`, `appointment.move_*`, `appointment.changed_meanwhile`, `booking.slot_unavailable`,
 *   `booking.location_conflict`
 */
export async function moveManagedAppointment(
  deps: CustomerMoveDeps,
  opened: OpenedLink,
  body: z.output<typeof moveByCustomerBody>,
): Promise<MoveAppointmentResponse> {
  const details = await getLinkedAppointment(deps, opened)
  const spent = await deps.budgets.spend([{ budget: 'manage_moves', subject: details.id }])
  if (spent !== null) throw new ProblemError('appointment.move_many', [], spent.waitSeconds)
  const startMs = Date.parse(body.starts_at)
  const { calendar_id: calendarId, id, slug, appointment_type_id: typeId } = details
  const own = await getCurrentTime(deps, { calendarId, id })
  await deps.checkExternalCalendars({ by: 'customer', slug, typeId, startsAtMs: startMs, own })
  return keepingRefusal(deps, () =>
    moveAppointment(deps, {
      key: { calendarId, id },
      startMs,
      endMs: null,
      expectedStartMs: Date.parse(body.expected_starts_at),
      causedBy: 'customer',
      findTerms: async (trx, startsAtMs) => {
        const terms = await judge(trx, details, { startsAtMs, nowMs: deps.now() })
        if (!terms.ok) return terms
        const isAbsent = isInAnyInterval(await listAbsencesForAppointment(trx, { calendarId, id }), startMs)
        return isAbsent ? { ok: false, reason: 'absent' } : terms
      },
      notifyCustomer: true,
    }),
  )
}

/**
 * Decides whether the customer may move the appointment. Appointments without a stored policy get the legacy policy, which
 * allows no moves.
 */
async function judge(
  db: Db,
  { calendar_id: calendarId, id, policy }: Appointment,
  { startsAtMs, nowMs }: { readonly startsAtMs: number; readonly nowMs: number },
): Promise<MoveByCustomer> {
  // If the owner has asked the customer to choose another time, the policy does not limit the move.
  const offer = await findOpenTimeOffer(db, { calendarId, id })
  if (offer !== null) return { ok: true, untilMs: startsAtMs, timesLeft: null }
  const timesMoved = await countMovesByCustomer(db, { calendarId, id })
  return checkCustomerMove(policy ?? LEGACY_POLICY, { startsAtMs, timesMoved }, nowMs)
}
