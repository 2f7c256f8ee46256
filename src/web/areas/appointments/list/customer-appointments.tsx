import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { countPages } from '#web/kit/page-window.ts'
import { ListPagination } from '#web/kit/pagination.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { AppointmentItem } from './appointment-item.tsx'
import { AppointmentsPlaceholder } from './appointment-placeholders.tsx'
import { appointmentsQuery } from './appointment-queries.ts'

type CustomerAppointmentsProps = {
  calendarId: string
  /** The customer's client number. A search for it finds only this customer. */
  clientId: string
}

/** Lists all appointments of a customer, newest first, with messages and history. Source: rule D9. */
export function CustomerAppointments({ calendarId, clientId }: CustomerAppointmentsProps) {
  const [page, setPage] = useState(1)
  const choice = { filter: 'all', search: clientId, page } as const
  const query = useQuery(appointmentsQuery(calendarId, choice))
  const { data, isPlaceholderData } = query
  const totalPages = data === undefined ? 1 : countPages(data.total, data.page_size)
  return (
    <Card title="Appointments" description="Newest first.">
      <LoadStatus query={query} loading="Loading appointments..." failed="Failed to load appointments">
        <AppointmentsPlaceholder />
      </LoadStatus>
      {data?.total === 0 && <EmptyState title="No appointments found" />}
      <ul
        aria-label="Appointments"
        aria-busy={isPlaceholderData}
        className="@container divide-y divide-line border-t border-line aria-busy:opacity-60"
      >
        {data?.appointments.map((appointment) => (
          <li key={appointment.id}>
            <AppointmentItem appointment={appointment} />
          </li>
        ))}
      </ul>
      <ListPagination page={page} totalPages={totalPages} onChange={setPage} />
    </Card>
  )
}
