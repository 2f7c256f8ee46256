import { useQuery } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { appointmentAnswersQuery } from './appointment-queries.ts'

/** Shows what the customer answered when they booked. Source: rule B36. */
export function AppointmentAnswers({ appointment }: { appointment: AppointmentRow }) {
  const { data, error, refetch } = useQuery(appointmentAnswersQuery(appointment))
  if (data === undefined && error !== null) {
    return <ErrorState title="Failed to load the answers" hint={error.message} onRetry={() => refetch()} />
  }
  if (data === undefined) {
    return (
      <p role="status" className="flex items-center gap-2 text-ink-soft">
        <Spinner /> Loading the answers...
      </p>
    )
  }
  return (
    <section aria-label="Answers" className="border-t border-line pt-4">
      <dl className="grid gap-3">
        {data.map(({ question_id: id, label, value, is_private: isPrivate }) => (
          <div key={id} className="min-w-0 wrap-anywhere">
            <dt dir="auto" className="text-sm leading-6 text-ink-soft">
              {label} {isPrivate && <Badge>Private</Badge>}
            </dt>
            <dd dir="auto" className="whitespace-pre-line">
              {value.join(', ')}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
