import { useQuery } from '@tanstack/react-query'
import { upcomingAppointmentsQuery } from '#web/areas/appointments/list/appointment-queries.ts'
import { classNames } from '#web/ui/class-names.ts'

/** The number of customers who have asked to cancel, as a badge. Hidden if there are none. */
export function RequestCount({ isKnownOwner, className }: { isKnownOwner: boolean; className?: string }) {
  const { data } = useQuery({ ...upcomingAppointmentsQuery, enabled: isKnownOwner })
  const total = data?.cancellation_requests.total ?? 0
  if (total === 0) return null
  return (
    <span
      className={classNames(
        'grid min-h-5 min-w-5 place-items-center rounded-full bg-noon px-1.5 py-0.5 text-xs leading-none font-semibold text-on-noon tabular-nums',
        className,
      )}
    >
      <span className="sr-only">, </span>
      {total}
      <span className="sr-only">{total === 1 ? ' cancellation request' : ' cancellation requests'}</span>
    </span>
  )
}
