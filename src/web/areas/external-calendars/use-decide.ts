import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { countAppointments, describeChanged, type PendingExternalChange } from './change-words.ts'
import { externalCalendarsQuery, refreshAfterBusyTimesChange } from './integration-queries.ts'

type Decision = { readonly changes: readonly PendingExternalChange[]; readonly decision: 'follow' | 'keep' }

/** Maximum number of changes in a request. */
const AT_ONCE = 100

/** Applies or rejects changes made in the external calendar, and lists those that failed in a toast. Source: rule G13. */
export function useDecideChanges(calendarId: string, onDecided: () => void) {
  const client = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ changes, decision }: Decision) => {
      const told = { done: 0, refused: [] as { appointment_id: string; reason: string }[] }
      for (let from = 0; from < changes.length; from += AT_ONCE) {
        const { done, refused } = await callApi(at.decideExternalChanges, {
          params: { id: calendarId },
          body: { change_ids: changes.slice(from, from + AT_ONCE).map(({ id }) => id), decision },
        })
        told.done += done
        told.refused.push(...refused)
      }
      return told
    },
    onSuccess: ({ done, refused }, { changes, decision }) => {
      const count = done === changes.length ? countAppointments(changes) : done
      if (refused.length === 0) toast.success(doneText(count, decision))
      else toast.warning(refusedText(refused.length), { details: refused.map(inWords(changes)) })
    },
    onError: (error) => toast.error(`Failed to save your decision: ${toProblem(error).message}`),
    onSettled: async () => {
      await refreshAfterBusyTimesChange(client, calendarId)
      onDecided()
      return client.invalidateQueries({ queryKey: externalCalendarsQuery(calendarId).queryKey })
    },
  })
  return {
    decide: (decision: Decision) => !isPending && mutate(decision),
    deciding: isPending ? variables : null,
  }
}

function doneText(done: number, decision: Decision['decision']): string {
  const counted = done === 1 ? '1 appointment' : `${done} appointments`
  return decision === 'keep' ? `${counted} kept` : `${counted} changed to match your own calendar`
}

function refusedText(count: number): string {
  return count === 1 ? 'We couldn’t change 1 appointment' : `We couldn’t change ${count} appointments`
}

/** Returns a function that describes a failed change, such as `Ada Lovelace: This time is taken.` */
function inWords(changes: readonly PendingExternalChange[]) {
  return ({ appointment_id, reason }: { appointment_id: string; reason: string }) => {
    const change = changes.find((each) => each.appointment_id === appointment_id)
    return `${change === undefined ? 'Unknown' : wrapInBidiIsolates(describeChanged(change))}: ${reason}`
  }
}
