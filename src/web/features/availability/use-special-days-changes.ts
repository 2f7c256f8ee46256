import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import type { SpecialDaysBody, SpecialDaysEntry } from '#contract/special-days.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { refreshAvailability } from './availability-queries.ts'
import { UNDO_MS } from './use-week-changes.ts'

/** Removes special days, says how it went, and offers to take it back. Source: rules T27 and T34. */
export function useRemoveSpecialDays(calendarId: string) {
  const client = useQueryClient()
  const { mutate: add } = useAddAgain(calendarId)
  return useMutation({
    mutationFn: ({ id }: SpecialDaysEntry) =>
      callApi(at.removeSpecialDays, { params: { id: calendarId, special_days_id: id } }),
    onSuccess: (_answer, entry) =>
      toast.success('Days removed', {
        durationMs: UNDO_MS,
        action: { label: 'Undo', onClick: () => add(toSpecialDaysBody(entry)) },
      }),
    onError: (error) => toast.error(`Failed to remove days: ${error.message}`),
    onSettled: () => refreshAvailability(client, calendarId),
  })
}

function useAddAgain(calendarId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SpecialDaysBody) => callApi(at.addSpecialDays, { params: { id: calendarId }, body }),
    onSuccess: () => toast.success('Days added'),
    onError: (error) => toast.error(`Failed to add days: ${error.message}`),
    onSettled: () => refreshAvailability(client, calendarId),
  })
}

/** An entry as a request has it. */
export function toSpecialDaysBody({ first_date, last_date, hours, note }: SpecialDaysEntry): SpecialDaysBody {
  return { first_date, last_date, hours, note }
}
