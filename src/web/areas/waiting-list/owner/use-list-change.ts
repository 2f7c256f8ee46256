import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toProblem } from '#web/kit/show-problem.ts'
import { toast } from '#web/ui/toast.tsx'
import { waitingListCountsQuery, waitingListKey } from './waiting-list-queries.ts'

/** Changes the waiting list, then reloads it. Reloads after a refusal too, because it means that the list has changed. */
export function useChangeWaitingList(calendarId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onError: (error) => toast.error(toProblem(error).message),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: waitingListKey(calendarId) }),
        client.invalidateQueries({ queryKey: waitingListCountsQuery.queryKey }),
      ]),
  })
}
