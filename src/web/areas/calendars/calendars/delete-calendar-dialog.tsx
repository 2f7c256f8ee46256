import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Calendar, FutureAppointmentsSummary } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { futureAppointmentsQuery } from '#web/kit/calendar-cache.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { removeCalendarFromCache, removeFromCalendarList } from './calendar-queries.ts'

type DeleteCalendarDialogProps = {
  calendar: Pick<Calendar, 'id' | 'name' | 'user_id'>
  open: boolean
  onOpenChange: (open: boolean) => void
  /**
   * Leaves the page of the calendar. Called after the calendar is gone from the cached list, and before its own data is removed
   * from the cache.
   */
  onDeleted?: (() => Promise<void>) | undefined
}

/** Asks the owner to confirm before a calendar is deleted. Source: rule C9. */
export function DeleteCalendarDialog({ calendar, open, onOpenChange, onDeleted }: DeleteCalendarDialogProps) {
  const client = useQueryClient()
  const { data, isFetching, isError } = useQuery({ ...futureAppointmentsQuery(calendar.id), enabled: open })
  // Cached data from an earlier request may be outdated.
  const outlook = isError ? undefined : data
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(at.deleteCalendar, { params: { id: calendar.id } }),
    onSuccess: async () => {
      toast.success('Calendar deleted successfully')
      onOpenChange(false)
      removeFromCalendarList(client, calendar.user_id, calendar.id)
      await onDeleted?.()
      await removeCalendarFromCache(client, calendar.user_id, calendar.id)
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
            {isFetching ? 'Counting upcoming appointments…' : describeDeletion(outlook)}
          </span>
          <span className="mt-2 block">
            “{calendar.name}” will be deleted along with its appointment types and appointments, and its
            booking link will stop working for good. This can’t be undone.
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

/** Explains what happens to the future appointments. `undefined` means that their number is unknown. */
function describeDeletion(outlook: FutureAppointmentsSummary | undefined): string {
  if (outlook === undefined) {
    return 'Its future appointments will be cancelled, and we’ll email the customers.'
  }
  if (outlook.future_appointments === 0) return 'There are no upcoming appointments.'
  return [describeTold(outlook), ...describePaid(outlook)].join(' ')
}

/** Warns that deleting a calendar refunds nothing. Source: rule C9. */
function describePaid({ future_appointments: count, paid }: FutureAppointmentsSummary): string[] {
  if (paid === 0) return []
  const what = count === 1 ? 'It is paid for.' : `${paid} of them ${paid === 1 ? 'is' : 'are'} paid for.`
  return [`${what} Deleting doesn’t refund anything. To refund customers, cancel before you delete.`]
}

function describeTold({
  future_appointments: count,
  without_email: unreachable,
}: FutureAppointmentsSummary): string {
  const what =
    count === 1
      ? '1 future appointment will be cancelled, and we’ll email the customer.'
      : `${count} future appointments will be cancelled, and we’ll email the customers.`
  if (unreachable === 0) return what
  if (unreachable === count) {
    return count === 1
      ? '1 future appointment will be cancelled. Its customer has no email address, so please tell them yourself.'
      : `${count} future appointments will be cancelled. Their customers have no email addresses, so please tell them yourself.`
  }
  return unreachable === 1
    ? `${what} 1 of them has no email address, so please tell them yourself.`
    : `${what} ${unreachable} of the appointments have no email address, so please tell their customers yourself.`
}
