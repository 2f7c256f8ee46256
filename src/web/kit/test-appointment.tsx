import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { TestAppointment } from '#contract/appointments/test-appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatDateHeading, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { Button, type ButtonSize } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { refreshOwnerFreeTimes } from './own-times.ts'
import { OWNER_QUERY_KEY } from './owner-key.ts'
import { refreshAppointments } from './refresh-appointments.ts'

type TestAppointmentPartProps = {
  calendarId: string
  /** The upcoming test appointment; null when there is none. */
  test: TestAppointment | null
}

/** Books a test appointment with the owner, says when it is, and removes it again. Source: rule U34. */
export function TestAppointmentPart({ calendarId, test }: TestAppointmentPartProps) {
  const book = useBookTestAppointment(calendarId)
  const remove = useRemoveTestAppointment(calendarId)
  const [change, label, pendingLabel] =
    test === null
      ? [book, 'Book a test appointment with yourself', 'Booking...']
      : [remove, 'Remove the test appointment', 'Removing...']
  return (
    <div className="flex flex-col items-start gap-3">
      <p aria-live="polite" className="text-ink-soft wrap-anywhere">
        {test === null
          ? 'Try it yourself: we book the first free time and email you what a customer gets. It counts nowhere.'
          : `Your test appointment is on ${describeStart(test)}. We’re emailing ${test.email}.`}
      </p>
      {/* The same button for both, so that it keeps the focus. */}
      <Button pending={change.isPending} pendingLabel={pendingLabel} onClick={() => change.mutate()}>
        {label}
      </Button>
    </div>
  )
}

type RemoveTestButtonProps = { calendarId: string; size?: ButtonSize }

/** Removes the test appointment of a calendar, without a question: there is nothing to lose. */
export function RemoveTestButton({ calendarId, size }: RemoveTestButtonProps) {
  const { mutate, isPending } = useRemoveTestAppointment(calendarId)
  return (
    <Button size={size} pending={isPending} pendingLabel="Removing..." onClick={() => mutate()}>
      Remove the test appointment
    </Button>
  )
}

function useBookTestAppointment(calendarId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(at.bookTestAppointment, { params: { id: calendarId } }),
    onError: (error) => toast.error(error.message),
    onSettled: () => refreshTest(client),
  })
}

function useRemoveTestAppointment(calendarId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(at.removeTestAppointment, { params: { id: calendarId } }),
    onSuccess: () => toast.success('The test appointment is removed.'),
    onError: (error) => toast.error(error.message),
    onSettled: () => refreshTest(client),
  })
}

/** Reloads everything that shows the test appointment or its time. */
function refreshTest(client: QueryClient): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'setup'] }),
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'customers'] }),
    refreshAppointments(client),
    refreshOwnerFreeTimes(client),
  ])
}

function describeStart({ starts_at, time_zone, hour_cycle }: TestAppointment): string {
  const time = formatTime(starts_at, time_zone, hour_cycle)
  return `${formatDateHeading(localDateOf(starts_at, time_zone))} at ${time}`
}
