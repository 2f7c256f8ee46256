import { queryOptions } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import { ownerFreeTimesKey } from '#web/kit/own-times.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Maximum age of loaded free times before they are refetched, in milliseconds (rule T30). */
const FRESH_MS = 60_000

type Moved = Pick<AppointmentRow, 'id' | 'calendar_id' | 'starts_at'>

/** Tells the server to check a move of the whole session; a move of the appointment needs no parameter. */
function ofSession(isWholeSession: boolean) {
  return isWholeSession ? ({ moved: 'session' } as const) : {}
}

/** The times of a day that would be offered to customers if this appointment did not exist. */
export function moveSlotsQuery({ id, calendar_id, starts_at }: Moved, date: string, isWholeSession = false) {
  return queryOptions({
    queryKey: [...ownerFreeTimesKey(calendar_id), 'move', id, starts_at, date, isWholeSession],
    queryFn: ({ signal }) =>
      callApi(at.listOwnMoveSlots, {
        params: { id: calendar_id, appointment_id: id },
        query: { date, ...ofSession(isWholeSession) },
        signal,
      }),
    staleTime: FRESH_MS,
  })
}

/** The new time: either an offered start, or a typed date and clock time in the calendar's time zone. */
export type NewAppointmentTime =
  | { readonly starts_at: string }
  | { readonly date: string; readonly time: string }

/** Checks on the server whether the appointment can be moved to this time. Disabled while `when` is null. */
export function moveCheckQuery(
  { id, calendar_id, starts_at }: Moved,
  when: NewAppointmentTime | null,
  isWholeSession = false,
) {
  return queryOptions({
    queryKey: [...ownerFreeTimesKey(calendar_id), 'move', id, starts_at, 'judged', when, isWholeSession],
    queryFn: ({ signal }) =>
      callApi(at.judgeMove, {
        params: { id: calendar_id, appointment_id: id },
        query: { ...when, ...ofSession(isWholeSession) },
        signal,
      }),
    enabled: when !== null,
    retry: false,
  })
}
