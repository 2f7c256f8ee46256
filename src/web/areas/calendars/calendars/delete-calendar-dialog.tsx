import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { outlookQuery } from '#web/kit/calendar-cache.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { forgetCalendar, takeOffList } from './calendar-queries.ts'
import { describeDeletion } from './future-appointments.ts'

type DeleteCalendarDialogProps = {
  calendar: Pick<Calendar, 'id' | 'name' | 'user_id'>
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Leaves a page about the calendar, before the calendar is removed from the cache. The list of calendars has it no more. */
  onDeleted?: (() => Promise<void>) | undefined
}

/** Asks before a calendar is deleted, and deletes it. Source: rule C9. */
export function DeleteCalendarDialog({ calendar, open, onOpenChange, onDeleted }: DeleteCalendarDialogProps) {
  const client = useQueryClient()
  const { data, isFetching, isError } = useQuery({ ...outlookQuery(calendar.id), enabled: open })
  // Earlier answers may be out of date.
  const outlook = isError ? undefined : data
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(at.deleteCalendar, { params: { id: calendar.id } }),
    onSuccess: async () => {
      toast.success('Calendar deleted successfully')
      onOpenChange(false)
      takeOffList(client, calendar.user_id, calendar.id)
      await onDeleted?.()
      await forgetCalendar(client, calendar.user_id, calendar.id)
    },
    onError: (error) => {
      const { code, message } = toProblem(error)
      const details = code.startsWith('payment.deletion_') ? [message] : []
      toast.error('Failed to delete calendar. Please try again.', { details })
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this calendar?"
      description={
        <>
          <span className="block">
            {isFetching ? 'Looking up how many appointments lie ahead…' : describeDeletion(outlook)}
          </span>
          <span className="mt-2 block">
            “{calendar.name}” is deleted with its appointment types and appointments, and its booking link
            stops working for good. This cannot be undone.
          </span>
        </>
      }
      confirmLabel="Delete Calendar"
      pendingLabel="Deleting..."
      pending={isPending}
      onConfirm={mutate}
      tone="danger"
    />
  )
}
