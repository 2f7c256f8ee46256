import { useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  ExternalCalendarChoice,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { cacheExternalCalendars, externalCalendarsQuery } from './integration-queries.ts'

/**
 * Saves the choice of external calendars immediately, with an optimistic update, so that the owner can tick several
 * boxes in a row.
 */
export function useExternalCalendarChoice(calendarId: string, external: ExternalCalendars) {
  const client = useQueryClient()
  const { queryKey } = externalCalendarsQuery(calendarId)
  const { mutate } = useMutation({
    // Send the requests one after the other: each contains the whole choice, so the last one wins.
    scope: { id: `choice-${calendarId}` },
    mutationFn: (choice: ExternalCalendarChoice) =>
      callApi(at.chooseExternalCalendars, { params: { id: calendarId }, body: choice }),
    onMutate: async (choice) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (shown) => shown && withChoice(shown, choice))
    },
    onSuccess: (saved, choice) => {
      const shown = client.getQueryData(queryKey)
      const isLast = shown === undefined || isSame(choiceOf(shown), choice)
      if (isLast) cacheExternalCalendars(client, calendarId, saved)
    },
    onError: (error) => {
      toast.error(`Failed to save your choice: ${toProblem(error).message}`)
      return client.invalidateQueries({ queryKey })
    },
  })
  return { choice: choiceOf(external), choose: (choice: ExternalCalendarChoice) => mutate(choice) }
}

function choiceOf({ connections }: ExternalCalendars): ExternalCalendarChoice {
  const calendars = connections.flatMap((connection) => connection.calendars)
  return {
    reads: calendars.filter(({ reads_busy_times }) => reads_busy_times).map(({ id }) => id),
    writes: calendars.find(({ writes_events }) => writes_events)?.id ?? null,
  }
}

function withChoice(
  external: ExternalCalendars,
  { reads, writes }: ExternalCalendarChoice,
): ExternalCalendars {
  return {
    ...external,
    connections: external.connections.map((connection) => ({
      ...connection,
      calendars: connection.calendars.map((calendar) => ({
        ...calendar,
        reads_busy_times: reads.includes(calendar.id),
        writes_events: calendar.id === writes,
      })),
    })),
  }
}

function isSame(one: ExternalCalendarChoice, other: ExternalCalendarChoice): boolean {
  const isOther = (id: string) => other.reads.includes(id)
  return one.writes === other.writes && one.reads.length === other.reads.length && one.reads.every(isOther)
}
