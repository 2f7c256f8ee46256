import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type { AppointmentFilter } from '#contract/appointments.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Select } from '#web/ui/select.tsx'
import { AppointmentItem } from './appointment-item.tsx'
import { appointmentsQuery } from './appointment-queries.ts'

const FILTERS = [
  { value: 'upcoming', label: 'Upcoming' },
  { value: 'past', label: 'Past' },
  { value: 'all', label: 'All appointments' },
] as const satisfies readonly { value: AppointmentFilter; label: string }[]

const EMPTY_HINTS: Record<AppointmentFilter, string> = {
  upcoming: "You don't have any upcoming appointments.",
  past: "You don't have any past appointments.",
  all: "You don't have any appointments yet.",
}

type AppointmentsCardProps = {
  calendarId: string
  /** Buttons in the card's head. */
  actions?: ReactNode
}

/** A calendar's appointments, page by page. Source: spec §2 "Appointments card". */
export function AppointmentsCard({ calendarId, actions }: AppointmentsCardProps) {
  const [filter, setFilter] = useState<AppointmentFilter>('upcoming')
  const [page, setPage] = useState(1)
  const top = useRef<HTMLElement>(null)
  const { data, error, refetch, isPlaceholderData } = useQuery(appointmentsQuery(calendarId, filter, page))
  const totalPages = data === undefined ? 1 : Math.ceil(data.total / data.page_size)
  // Fewer pages than there were, because appointments were deleted meanwhile.
  if (!isPlaceholderData && page > Math.max(1, totalPages)) setPage(Math.max(1, totalPages))

  return (
    <Card
      ref={top}
      className="scroll-mt-4"
      title="Appointments"
      description="Manage your appointments and payment statuses"
      actions={
        <div className="flex flex-wrap items-end gap-3">
          <Select
            label="Show"
            className="w-52"
            options={FILTERS}
            value={filter}
            onChange={(next) => {
              setFilter(next)
              setPage(1)
            }}
          />
          {actions}
        </div>
      }
    >
      {data === undefined && error === null && <LoadingState text="Loading appointments..." />}
      {data === undefined && error !== null && (
        <ErrorState title="Failed to load appointments" hint={error.message} onRetry={() => refetch()} />
      )}
      {data?.appointments.length === 0 && (
        <EmptyState title="No appointments found" hint={EMPTY_HINTS[filter]} />
      )}
      {data !== undefined && data.appointments.length > 0 && (
        <ul
          aria-label="Appointments"
          aria-busy={isPlaceholderData}
          className="divide-y divide-line border-t border-line aria-busy:opacity-60"
        >
          {data.appointments.map((appointment) => (
            <li key={appointment.id}>
              <AppointmentItem appointment={appointment} />
            </li>
          ))}
        </ul>
      )}
      {totalPages > 1 && (
        <div className="border-t border-line pt-5">
          <Pagination
            page={page}
            totalPages={totalPages}
            onChange={(next) => {
              setPage(next)
              top.current?.scrollIntoView({ block: 'start' })
            }}
          />
          <p role="status" className="sr-only">
            Page {page} of {totalPages}
          </p>
        </div>
      )}
    </Card>
  )
}
