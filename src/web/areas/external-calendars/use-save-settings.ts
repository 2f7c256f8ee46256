import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ExternalCalendarSettings } from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { cacheExternalCalendars, externalCalendarsQuery } from './integration-queries.ts'

/** Saves a setting immediately. Sends the value that was shown as well, so that the server detects conflicts (rule X4). */
export function useSaveExternalCalendarSetting(calendarId: string, stored: ExternalCalendarSettings) {
  const client = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (changes: Partial<ExternalCalendarSettings>) =>
      callApi(at.updateExternalCalendarSettings, {
        params: { id: calendarId },
        body: { ...changes, was: shownOf(changes, stored) },
      }),
    onSuccess: (saved) => {
      cacheExternalCalendars(client, calendarId, saved)
      toast.success('Calendar settings saved')
    },
    onError: (error) => {
      toast.error(`Failed to save calendar settings: ${toProblem(error).message}`)
      return client.invalidateQueries({ queryKey: externalCalendarsQuery(calendarId).queryKey })
    },
  })
  return {
    /** The stored settings, overridden by the values that are being saved. */
    settings: isPending ? { ...stored, ...variables } : stored,
    save: (changes: Partial<ExternalCalendarSettings>) => {
      if (!isPending) mutate(changes)
    },
  }
}

function shownOf(
  changes: Partial<ExternalCalendarSettings>,
  stored: ExternalCalendarSettings,
): Partial<ExternalCalendarSettings> {
  return Object.fromEntries(Object.entries(stored).filter(([name]) => name in changes))
}
