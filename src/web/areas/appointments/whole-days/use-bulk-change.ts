import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BulkChangeKind } from '#contract/appointments/whole-days-limits.ts'
import * as at from '#contract/operations/addresses.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { refreshAvailability } from '#web/kit/refresh-availability.ts'
import { callApi } from '#web/shared/call-api.ts'
import type { BulkChangePreviewOfCalendars } from './use-change-preview.ts'

/** A change that has been started; its progress is shown. */
export type BegunChange = { calendarId: string; changeId: string }

type WantedChange = {
  id: string
  kind: BulkChangeKind
  from: string
  to: string
  message: string
  refund: 'all' | 'policy'
  close_days?: boolean
  for_waiting_list?: boolean
  /** Limits the change to one session. */
  session_id?: string
  /** The digest of each calendar's preview, with which the server detects that the appointments have changed since. */
  seen: BulkChangePreviewOfCalendars['seen']
}

/** Starts a change of whole days or of one session. */
export function useBulkChange(onBegun: (begun: BegunChange) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ seen: [first, ...others], ...change }: WantedChange) => {
      if (first === undefined) throw new Error('no calendar was chosen')
      const { calendar_id: id, digest } = first
      const { id: changeId } = await callApi(at.createManyChange, {
        params: { id },
        body: { ...change, digest, others },
      })
      return { calendarId: id, changeId }
    },
    onSuccess: onBegun,
    // Refetch after a refusal, too, because it means that the appointments have changed.
    onSettled: (_begun, _error, { seen }) =>
      Promise.all([
        refreshAppointments(client),
        // Refetch the availability, because the change may have closed the days.
        ...seen.map(({ calendar_id }) => refreshAvailability(client, calendar_id)),
      ]),
  })
}
