import { useQueries } from '@tanstack/react-query'
import type { ManyChangeEffect } from '#contract/appointments/whole-days.ts'
import type { ManyChangeKind } from '#contract/appointments/whole-days-limits.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { type DayRange, manyChangeEffectQuery } from './many-change-queries.ts'

/** An appointment of the days, and its calendar where there are several. */
export type ConcernedAppointment = ManyChangeEffect['appointments'][number] & {
  readonly calendarName: string | null
}

/** What a change of some days would mean on several calendars. */
export type EffectOnCalendars = {
  /** Earliest first; undefined until all are known. */
  readonly appointments: readonly ConcernedAppointment[] | undefined
  /** What stands for the appointments of each calendar when the change is sent. */
  readonly seen: readonly { readonly calendar_id: string; readonly digest: string }[]
  readonly error: Error | null
  readonly isFetching: boolean
  readonly onRetry: () => void
}

/** Whether a change of this kind is about an appointment. Source: rule A23. */
export function isChanged(kind: ManyChangeKind, { no_offer_reason }: ConcernedAppointment): boolean {
  return kind === 'cancel' || no_offer_reason === null
}

/** Asks each calendar what a change of these days would mean. */
export function useEffectOn(
  calendars: readonly Calendar[],
  range: DayRange,
  /** The range can be asked about. */
  enabled: boolean,
): EffectOnCalendars {
  const effects = useQueries({
    queries: calendars.map(({ id }) => ({ ...manyChangeEffectQuery(id, range), enabled })),
  })
  const known = calendars.flatMap((calendar, index) => {
    const effect = effects[index]?.data
    return effect === undefined ? [] : [{ calendar, ...effect }]
  })
  const isKnown = known.length === calendars.length
  return {
    appointments: isKnown
      ? known
          .flatMap(({ calendar, appointments }) =>
            appointments.map((one) => ({
              ...one,
              calendarName: calendars.length > 1 ? calendar.name : null,
            })),
          )
          .sort((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at))
      : undefined,
    seen: known.map(({ calendar, digest }) => ({ calendar_id: calendar.id, digest })),
    error: effects.find(({ data, error }) => data === undefined && error !== null)?.error ?? null,
    isFetching: effects.some(({ isFetching }) => isFetching),
    onRetry: () => {
      for (const { data, refetch } of effects) if (data === undefined) void refetch()
    },
  }
}
