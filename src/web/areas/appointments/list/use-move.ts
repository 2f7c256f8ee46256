import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { MoveOwnAppointmentResponse } from '#contract/appointments/moves.ts'
import {
  OVERRIDABLE_WARNING_PROBLEMS,
  START_REASON_SENTENCES,
} from '#contract/appointments/owner-booking-problems.ts'
import * as at from '#contract/operations/addresses.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { describeConflict } from '#core/appointments/describe-conflict.ts'
import { UNDO_SECONDS } from '#core/appointments/undo-seconds.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { isOverlapReason } from '#core/slots/explain-start.ts'
import { refreshOwnerFreeTimes } from '#web/kit/own-times.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatShortDate, formatTime, formatWeekday, localDateOf } from '#web/shared/format-date.ts'
import { toast } from '#web/ui/toast.tsx'
import { moveCheckQuery } from './move-queries.ts'

/** A requested move. `anyway`: the owner has confirmed a time that customers are not offered. */
export type RequestedMove = {
  readonly appointment: AppointmentRow
  readonly startsAt: string
  readonly anyway: boolean
  readonly notify: boolean
  /** True to move everybody in the session of the appointment. Source: rule B60. */
  readonly isWholeSession: boolean
}

/** The result of a move. `question`: nothing has been moved, because the owner has to confirm the move first. */
export type MoveOutcome =
  | { readonly kind: 'moved' }
  | { readonly kind: 'question' | 'refused'; readonly sentence: string }

/**
 * Moves appointments. The owner can undo a move before the customer is notified. Messages name times in `shownZone`, which is the
 * time zone of the page, or else in the calendar's. Source: rules A16 and A18.
 */
export function useMoveAppointment(shownZone?: string) {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useMutation({
    mutationKey: [OWNER_QUERY_KEY, 'move'],
    mutationFn: ({ appointment, startsAt, anyway, notify, isWholeSession }: RequestedMove) =>
      callApi(at.moveAppointment, {
        params: { id: appointment.calendar_id, appointment_id: appointment.id },
        body: {
          starts_at: startsAt,
          expected_starts_at: appointment.starts_at,
          duration: durationMinutesOf(appointment),
          outside_hours: anyway,
          notify_customer: notify,
          whole_session: isWholeSession,
        },
      }),
    onSettled: () => Promise.all([refreshAppointments(client), refreshOwnerFreeTimes(client)]),
  })

  const move = async (wanted: RequestedMove): Promise<MoveOutcome> => {
    try {
      const moved = await mutateAsync(wanted)
      const clock = toShownClock(wanted.appointment, shownZone)
      showMovedToast(moved, { clock, ...wanted }, () => void undo(wanted, moved))
      return { kind: 'moved' }
    } catch (error) {
      const { code, message } = toProblem(error)
      const concern = CONCERN_OF_QUESTION.get(code)
      if (concern !== undefined) return { kind: 'question', sentence: START_REASON_SENTENCES[concern] }
      return {
        kind: 'refused',
        sentence: (code === TAKEN && (await nameConflict(client, wanted))) || message,
      }
    }
  }
  const undo = async ({ appointment, ...wanted }: RequestedMove, moved: MoveOwnAppointmentResponse) => {
    const { starts_at, ends_at } = moved
    try {
      const movedAppointment = { ...appointment, starts_at, ends_at }
      const back = {
        ...wanted,
        appointment: movedAppointment,
        startsAt: appointment.starts_at,
        anyway: true,
      }
      const { warning } = await mutateAsync(back)
      const say = warning === null ? toast.success : toast.warning
      say(`Moved back to ${formatStart(appointment.starts_at, toShownClock(appointment, shownZone))}`, {
        details: warning === null ? [] : [warning],
      })
    } catch (error) {
      toast.error(toProblem(error).message)
    }
  }
  return { move, isPending }
}

const TAKEN: ProblemCode = 'appointment.move_conflict'

/**
 * Returns a sentence about the conflicting appointment on a calendar of the same person; null if there is none.
 * Source: rule T43.
 */
async function nameConflict(
  client: QueryClient,
  { appointment, startsAt, isWholeSession }: RequestedMove,
): Promise<string | null> {
  const asked = { ...moveCheckQuery(appointment, { starts_at: startsAt }, isWholeSession), staleTime: 0 }
  const judged = await client.fetchQuery(asked).catch(() => null)
  if (judged === null || judged.conflicting_appointment === null) return null
  const { customer_name, calendar_name } = judged.conflicting_appointment
  return describeConflict({
    customerName: customer_name || 'Unknown',
    calendarName: calendar_name,
    reason: judged.reasons.find(isOverlapReason) ?? 'busy',
    bufferMinutes: judged.buffer_minutes,
  })
}

type Concern = keyof typeof OVERRIDABLE_WARNING_PROBLEMS
const CONCERN_OF_QUESTION = new Map<string, Concern>(
  // The cast is safe: `Object.keys` returns the table's own keys.
  (Object.keys(OVERRIDABLE_WARNING_PROBLEMS) as Concern[]).map((concern) => [
    OVERRIDABLE_WARNING_PROBLEMS[concern],
    concern,
  ]),
)

function showMovedToast(
  { starts_at, email, warning }: MoveOwnAppointmentResponse,
  {
    clock,
    isWholeSession,
    notify,
  }: Pick<RequestedMove, 'isWholeSession' | 'notify'> & { readonly clock: AppointmentClock },
  onUndo: () => void,
): void {
  const say = email === 'failed' || warning !== null ? toast.warning : toast.success
  say(`Moved to ${formatStart(starts_at, clock)}`, {
    details: [
      isWholeSession && notify ? EMAIL_TO_SESSION : EMAIL_SENTENCES[email],
      ...(warning === null ? [] : [warning]),
    ],
    durationMs: UNDO_SECONDS * 1_000,
    action: { label: 'Undo', onClick: onUndo },
  })
}

const EMAIL_TO_SESSION = `We’ll email everybody in the session in ${UNDO_SECONDS} seconds.`
const EMAIL_SENTENCES: Readonly<Record<MoveOwnAppointmentResponse['email'], string>> = {
  queued: `We’ll email the customer in ${UNDO_SECONDS} seconds.`,
  failed: 'We couldn’t queue the email to the customer.',
  none: 'Nobody gets an email.',
}

export type AppointmentClock = Pick<AppointmentRow, 'time_zone' | 'hour_cycle'>

/** Returns the clock of an appointment in the time zone of a page, if the page has one for all its appointments. */
export function toShownClock(
  { time_zone, hour_cycle }: AppointmentClock,
  shownZone?: string,
): AppointmentClock {
  return { time_zone: shownZone ?? time_zone, hour_cycle }
}

/** Formats a start on a clock: `Tue, Jan 5, 2027, 2:00 PM`. */
export function formatStart(startsAt: string, { time_zone, hour_cycle }: AppointmentClock): string {
  const date = localDateOf(startsAt, time_zone)
  return `${formatWeekday(date)}, ${formatShortDate(date)}, ${formatTime(startsAt, time_zone, hour_cycle)}`
}

/** Returns the duration of an appointment, in minutes. */
export function durationMinutesOf({ starts_at, ends_at }: AppointmentRow): number {
  return (Date.parse(ends_at) - Date.parse(starts_at)) / MINUTE_MS
}

/** True if an appointment can be moved: it is not cancelled, not a hold, and has not started. Source: rule A16. */
export function isMovable({ status, starts_at }: AppointmentRow, nowMs: number): boolean {
  return (status === 'confirmed' || status === 'pending_cancellation') && Date.parse(starts_at) > nowMs
}
