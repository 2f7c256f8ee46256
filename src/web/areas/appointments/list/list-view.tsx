import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { AppointmentFilter, AppointmentRow } from '#contract/appointments/appointments.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { countPages } from '#web/kit/page-window.ts'
import { ListPagination } from '#web/kit/pagination.tsx'
import { SearchField } from '#web/kit/search-field.tsx'
import { formatMonthDay, formatTime, formatWeekday, formatZone } from '#web/shared/format-date.ts'
import { useIsNarrowScreen } from '#web/shared/use-is-narrow.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Select } from '#web/ui/select.tsx'
import { AppointmentContent, AppointmentItem } from './appointment-item.tsx'
import { CollapsedAppointment } from './appointment-line.tsx'
import { AppointmentsPlaceholder, CollapsedAppointmentsPlaceholder } from './appointment-placeholders.tsx'
import { appointmentsQuery } from './appointment-queries.ts'
import { type AppointmentsView, DEFAULT_APPOINTMENTS_VIEW } from './appointments-view.ts'
import { DisclosureButton } from './disclosure-button.tsx'

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

type ListViewProps = {
  /** The CSV download link. On narrow screens it is shown in the list instead of the card's header. */
  exportLink: ReactNode
  calendarId: string
  choice: AppointmentsView
  /** Called when the owner changes the view. `replace`: do not add an entry to the browser history. */
  onChoose: (change: Partial<AppointmentsView>, replace?: boolean) => void
  onTurn: () => void
}

/** Lists a calendar's appointments with filter, search and pages. On a phone, each appointment is one line. Source: rule Y2. */
export function AppointmentListView({ calendarId, choice, exportLink, onChoose, onTurn }: ListViewProps) {
  const { filter, search, page } = choice
  const query = useQuery(appointmentsQuery(calendarId, choice))
  const { data, isPlaceholderData } = query
  const totalPages = data === undefined ? 1 : countPages(data.total, data.page_size)
  // True if the page no longer exists, because appointments have been deleted or the URL is old.
  const isBeyond = data !== undefined && !isPlaceholderData && page > totalPages
  const choose = useRef(onChoose)
  useEffect(() => {
    choose.current = onChoose
  })
  useEffect(() => {
    if (isBeyond) choose.current({ page: totalPages }, true)
  }, [isBeyond, totalPages])

  const isNarrow = useIsNarrowScreen()
  const isChosen = search !== '' || filter !== DEFAULT_APPOINTMENTS_VIEW.filter
  const [isToolsOpen, setToolsOpen] = useState(isChosen)
  const toolsId = useId()
  const [first] = data?.appointments ?? []
  return (
    <>
      {isNarrow && (
        <DisclosureButton controls={toolsId} open={isToolsOpen} onChange={setToolsOpen}>
          Search, filter and export
        </DisclosureButton>
      )}
      <div
        id={toolsId}
        hidden={isNarrow && !isToolsOpen}
        className="mb-4 flex flex-wrap items-end gap-3 [[hidden]]:hidden"
      >
        <SearchField
          value={search}
          hint="by name, email, phone or reference"
          onSearch={(next) => next !== search && onChoose({ search: next, page: 1 }, true)}
        />
        <Select
          label="Show"
          className="w-full sm:w-52"
          options={FILTERS}
          value={filter}
          onChange={(next) => onChoose({ filter: next, page: 1 })}
        />
        {isNarrow && exportLink}
      </div>
      <LoadStatus query={query} loading="Loading appointments..." failed="Failed to load appointments">
        {isNarrow ? <CollapsedAppointmentsPlaceholder /> : <AppointmentsPlaceholder />}
      </LoadStatus>
      {data?.total === 0 && search === '' && (
        <EmptyState title="No appointments found" hint={EMPTY_HINTS[filter]} />
      )}
      {data?.total === 0 && search !== '' && (
        <EmptyState
          title="No appointments found"
          hint={`Nothing ${SEARCHED_IN[filter]} matches “${search}”.`}
          action={<Button onClick={() => onChoose({ search: '', page: 1 })}>Clear search</Button>}
        />
      )}
      {first !== undefined && (
        <p className="mb-2 text-sm text-ink-soft">{formatZone(first.time_zone, first.starts_at)}</p>
      )}
      {data !== undefined && data.appointments.length > 0 && (
        <ul
          aria-label="Appointments"
          aria-busy={isPlaceholderData}
          className="@container divide-y divide-line border-t border-line aria-busy:opacity-60"
        >
          {data.appointments.map((appointment) => (
            <li key={appointment.id}>
              {isNarrow ? (
                <CollapsedAppointment
                  appointment={appointment}
                  when={<ShortWhen appointment={appointment} />}
                >
                  <AppointmentContent appointment={appointment} zone={false} />
                </CollapsedAppointment>
              ) : (
                <AppointmentItem appointment={appointment} zone={false} />
              )}
            </li>
          ))}
        </ul>
      )}
      <ListPagination
        page={page}
        totalPages={totalPages}
        onChange={(next) => {
          onChoose({ page: next })
          onTurn()
        }}
      />
    </>
  )
}

const SEARCHED_IN: Record<AppointmentFilter, string> = {
  upcoming: 'upcoming',
  past: 'in the past',
  all: 'in this calendar',
}

/** Shows `Tue, Dec 1` above `9:30 AM`. */
function ShortWhen({ appointment }: { appointment: AppointmentRow }) {
  const { date, starts_at, time_zone } = appointment
  return (
    <>
      <span className="block text-xs text-ink-soft">
        {formatWeekday(date)}, {formatMonthDay(date)}
      </span>
      {formatTime(starts_at, time_zone)}
    </>
  )
}
