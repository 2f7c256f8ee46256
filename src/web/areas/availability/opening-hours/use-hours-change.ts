import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refreshAvailability } from '#web/kit/refresh-availability.ts'
import { toast } from '#web/ui/toast.tsx'

/** How long a removal can be taken back, in milliseconds. Source: rule T27. */
const UNDO_MS = 8_000

type HoursChange<Given> = {
  readonly send: (given: Given) => Promise<unknown>
  /** `Days added` */
  readonly done: string
  /** `Failed to add days`; the reason of the server follows. */
  readonly failed: string
  /** Takes the change back, where that is offered for a moment. */
  readonly undo?: (given: Given) => void
}

/** A change of the hours of a calendar: says how it went, and reloads what depends on the hours. */
export function useHoursChange<Given>(calendarId: string, { send, done, failed, undo }: HoursChange<Given>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (_answer, given) => {
      if (undo === undefined) toast.success(done)
      else toast.success(done, { durationMs: UNDO_MS, action: { label: 'Undo', onClick: () => undo(given) } })
    },
    onError: (error) => toast.error(`${failed}: ${error.message}`),
    onSettled: () => refreshAvailability(client, calendarId),
  })
}
