import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { countPages } from '#web/kit/page-window.ts'
import { ListPagination } from '#web/kit/pagination.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { AppointmentItem } from './appointment-item.tsx'
import { AppointmentsPlaceholder, CompactRowsPlaceholder } from './appointment-placeholders.tsx'
import { appointmentsQuery } from './appointment-queries.ts'
import { CompactRows } from './compact-rows.tsx'
import { useRowDensity } from './row-density.ts'

type CustomerAppointmentsProps = {
  calendarId: string
  /** The customer's client number. A search for it finds only this customer. */
  clientId: string
}

/** Lists all appointments of a customer, newest first. Pressing one opens everything about it. Source: rule D9. */
export function CustomerAppointments({ calendarId, clientId }: CustomerAppointmentsProps) {
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<string | null>(null)
  const choice = { filter: 'all', search: clientId, page } as const
  const query = useQuery(appointmentsQuery(calendarId, choice))
  const { data, isPlaceholderData } = query
  const isCompact = useRowDensity() === 'compact'
  const appointments = data?.appointments ?? []
  const totalPages = data === undefined ? 1 : countPages(data.total, data.page_size)
  return (
    <Card title="Appointments" description="Newest first." className="max-sm:p-4">
      <LoadStatus query={query} loading="Loading appointments..." failed="Failed to load appointments">
        {isCompact ? <CompactRowsPlaceholder /> : <AppointmentsPlaceholder />}
      </LoadStatus>
      {data?.total === 0 && <EmptyState title="No appointments found" />}
      {isCompact ? (
        <div className="border-y border-line empty:border-0 max-sm:-mx-4 sm:-mx-6">
          <CompactRows
            appointments={appointments}
            isStale={isPlaceholderData}
            hasCustomerName={false}
            opened={opened}
            panelId={null}
            onOpen={setOpened}
            onClose={() => setOpened(null)}
          />
        </div>
      ) : (
        <ul
          aria-label="Appointments"
          aria-busy={isPlaceholderData}
          className="@container divide-y divide-line border-t border-line aria-busy:opacity-60"
        >
          {appointments.map((appointment) => (
            <li key={appointment.id}>
              <AppointmentItem appointment={appointment} />
            </li>
          ))}
        </ul>
      )}
      <ListPagination page={page} totalPages={totalPages} onChange={setPage} />
      <AppointmentDialog
        appointment={appointments.find(({ id }) => id === opened) ?? null}
        onClose={() => setOpened(null)}
      />
    </Card>
  )
}
