import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { CalendarScope } from '#web/kit/calendar-scope.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { appointmentQuery } from './appointment-queries.ts'

type OpenedAppointment = {
  /** The latest known version; null until it has loaded, and when it does not exist. */
  readonly appointment: AppointmentRow | null
  readonly error: Error | null
  readonly refetch: () => void
}

/**
 * Returns the latest version of the opened appointment. It comes from the shown list, so that both always agree. An
 * appointment that is not in the list, for example after a move or a link to it, is loaded on its own.
 *
 * `listed`: the shown appointments; undefined while they load.
 */
export function useOpenedAppointment(
  scope: CalendarScope,
  id: string | null,
  listed: readonly AppointmentRow[] | undefined,
): OpenedAppointment {
  const inList = listed?.find((appointment) => appointment.id === id)
  const { data, error, refetch } = useQuery({
    ...appointmentQuery(scope, id ?? ''),
    enabled: id !== null && listed !== undefined && inList === undefined,
  })
  // Keeps the content while an appointment that has just left the list is loaded on its own.
  const [last, setLast] = useState<AppointmentRow | null>(null)
  const isUnknown =
    error !== null && (data === undefined || toProblem(error).code === 'appointment.not_found')
  const isGone = inList === undefined && isUnknown
  const found = inList ?? (isGone ? undefined : data) ?? null
  if (found !== null && found !== last) setLast(found)
  const appointment = found ?? (last?.id === id && !isGone ? last : null)
  return {
    appointment: id === null ? null : appointment,
    error: isGone ? error : null,
    refetch: () => void refetch(),
  }
}
