import { useQueries } from '@tanstack/react-query'
import type { BulkChangePreview } from '#contract/appointments/whole-days.ts'
import type { BulkChangeKind } from '#contract/appointments/whole-days-limits.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { bulkChangePreviewQuery, type DayRange } from './many-change-queries.ts'

/** An appointment that the change affects. `calendarName` is null if only one calendar is selected. */
export type AffectedAppointment = BulkChangePreview['appointments'][number] & {
  readonly calendarName: string | null
}

/** The effect of a change on all selected calendars. */
export type BulkChangePreviewOfCalendars = {
  /** The affected appointments, earliest first; undefined until all calendars have loaded. */
  readonly appointments: readonly AffectedAppointment[] | undefined
  /** The digest of each calendar's preview, which the change request sends along. */
  readonly seen: readonly { readonly calendar_id: string; readonly digest: string }[]
  readonly error: Error | null
  readonly isFetching: boolean
  readonly onRetry: () => void
}

/** True if a change of this kind affects the appointment. Source: rule A23. */
export function isAffectedByChange(kind: BulkChangeKind, { no_offer_reason }: AffectedAppointment): boolean {
  return kind === 'cancel' || no_offer_reason === null
}

/** Loads the effect of changing these days, or one session on them, in each calendar. */
export function useBulkChangePreview(
  calendars: readonly Pick<Calendar, 'id' | 'name'>[],
  range: DayRange,
  /** False while the dates are invalid. */
  enabled: boolean,
): BulkChangePreviewOfCalendars {
  const effects = useQueries({
    queries: calendars.map(({ id }) => ({ ...bulkChangePreviewQuery(id, range), enabled })),
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
