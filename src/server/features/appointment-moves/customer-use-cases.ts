import type { z } from 'zod'
import type { MoveTermsResponse, moveManagedAppointmentBody } from '#contract/customer-moves.ts'
import type { MoveAppointmentResponse } from '#contract/external-calendars.ts'
import type { DaysResponse, SlotsResponse } from '#contract/slots.ts'
import { judgeMoveByCustomer, type MoveByCustomer } from '#core/policy/judge-policy.ts'
import { POLICY_OF_OLD } from '#core/policy/policy.ts'
import { countMovesByCustomer } from '#server/features/appointment-history/use-cases.ts'
import type { AppointmentDetails } from '#server/features/appointments/details-repository.ts'
import type { ExternalCheckDeps } from '#server/features/bookings/deps.ts'
import {
  getLinkedAppointment,
  type ManagedAppointmentsDeps,
  type OpenedLink,
} from '#server/features/managed-appointments/use-cases.ts'
import { findOpenOffer } from '#server/features/many-changes/repository.ts'
import { getDays, getSlots, isOffered } from '#server/features/slots/use-cases.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { MoveDeps } from './deps.ts'
import { getOwnTime, moveAppointment } from './use-cases.ts'

export type CustomerMoveDeps = MoveDeps & ExternalCheckDeps & ManagedAppointmentsDeps

/**
 * Whether the customer may move their appointment now, under the policy of the booking. Source: rule A19.
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

/** The offered times that nobody has taken meanwhile. */
async function findFreeOffer(
  deps: CustomerMoveDeps,
  details: AppointmentDetails,
): Promise<MoveTermsResponse['offer']> {
  const { calendar_id: calendarId, id, slug, appointment_type_id: typeId } = details
  const offer = await findOpenOffer(deps.db, { calendarId, id })
  if (offer === null) return null
  const own = await getOwnTime(deps, { calendarId, id })
  const times: string[] = []
  for (const time of offer.times) {
    if (await isOffered(deps, { slug, typeId, startsAtMs: Date.parse(time), own })) times.push(time)
  }
  return { times, message: offer.message }
}

/**
 * The open times of a day to which the appointment could be moved: what customers are offered while it does not take its own.
 * @throws ProblemError `manage.*`
 */
export async function listMoveSlots(
  deps: CustomerMoveDeps,
  opened: OpenedLink,
  query: { readonly date: string; readonly time_zone?: string | undefined },
): Promise<SlotsResponse> {
  const details = await getLinkedAppointment(deps, opened)
  return getSlots(deps, { ...(await toQuestion(deps, details, query)), date: query.date })
}

/**
 * How many such times each day has.
 * @throws ProblemError `manage.*`, `request.invalid`
 */
export async function listMoveDays(
  deps: CustomerMoveDeps,
  opened: OpenedLink,
  query: { readonly from: string; readonly to: string; readonly time_zone?: string | undefined },
): Promise<DaysResponse> {
  const details = await getLinkedAppointment(deps, opened)
  return getDays(deps, { ...(await toQuestion(deps, details, query)), from: query.from, to: query.to })
}

async function toQuestion(
  deps: CustomerMoveDeps,
  { calendar_id: calendarId, id, slug, appointment_type_id: typeId }: AppointmentDetails,
  { time_zone: timeZone }: { readonly time_zone?: string | undefined },
) {
  const own = await getOwnTime(deps, { calendarId, id })
  return { slug, appointmentTypeId: typeId ?? undefined, timeZone, own }
}

/**
 * Moves an appointment as its customer wants it, whichever email led here: the link is that of the appointment as it stands now.
 * Source: rule A19.
 * @throws ProblemError `manage.*`, `appointment.move_*`, `appointment.changed_meanwhile`, `booking.slot_unavailable`,
 *   `booking.location_conflict`
 */
export async function moveManagedAppointment(
  deps: CustomerMoveDeps,
  opened: OpenedLink,
  body: z.output<typeof moveManagedAppointmentBody>,
): Promise<MoveAppointmentResponse> {
  const details = await getLinkedAppointment(deps, opened)
  const spent = await deps.budgets.take([{ budget: 'manage_moves', subject: details.id }])
  if (spent !== null) throw new ProblemError('appointment.move_many', [], spent.waitSeconds)
  const startMs = Date.parse(body.starts_at)
  const { calendar_id: calendarId, id, slug, appointment_type_id: typeId } = details
  const own = await getOwnTime(deps, { calendarId, id })
  await deps.checkExternalCalendars({ by: 'customer', slug, typeId, startsAtMs: startMs, own })
  return moveAppointment(deps, {
    key: { calendarId, id },
    startMs,
    endMs: null,
    expectedStartMs: Date.parse(body.expected_starts_at),
    causedBy: 'customer',
    findTerms: (trx, startsAtMs) => judge(trx, details, { startsAtMs, nowMs: deps.now() }),
    notifyCustomer: true,
  })
}

/** An appointment that was booked before there were policies promised nothing. */
async function judge(
  db: Db,
  { calendar_id: calendarId, id, policy }: AppointmentDetails,
  { startsAtMs, nowMs }: { readonly startsAtMs: number; readonly nowMs: number },
): Promise<MoveByCustomer> {
  // The owner cannot come: then the customer may choose, whatever the policy says.
  const offer = await findOpenOffer(db, { calendarId, id })
  if (offer !== null) return { ok: true, untilMs: startsAtMs, timesLeft: null }
  const timesMoved = await countMovesByCustomer(db, { calendarId, id })
  return judgeMoveByCustomer(policy ?? POLICY_OF_OLD, { startsAtMs, timesMoved }, nowMs)
}
