import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import type { AppointmentFilter, AppointmentRow } from '#contract/appointments/appointments.ts'
import type { CalendarScope } from '#web/kit/calendar-scope.ts'
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
import { AppointmentPanel, AppointmentSheet } from './appointment-panel.tsx'
import {
  AppointmentsPlaceholder,
  CollapsedAppointmentsPlaceholder,
  CompactRowsPlaceholder,
} from './appointment-placeholders.tsx'
import { appointmentsQuery } from './appointment-queries.ts'
import type { AppointmentsView } from './appointments-view.ts'
import { rowButtonId } from './compact-row.tsx'
import { CompactRows, findTarget } from './compact-rows.tsx'
import { type RowDensity, setRowDensity, useRowDensity } from './row-density.ts'
import { useHasWidth } from './use-has-width.ts'
import { useOpenedAppointment } from './use-opened-appointment.ts'

const FILTERS = [
  { value: 'upcoming', label: 'Upcoming' },
  { value: 'past', label: 'Past' },
  { value: 'all', label: 'All appointments' },
] as const satisfies readonly { value: AppointmentFilter; label: string }[]

const DENSITIES = [
  { value: 'compact', label: 'Compact' },
  { value: 'comfortable', label: 'Comfortable' },
] as const satisfies readonly { value: RowDensity; label: string }[]

const EMPTY_HINTS: Record<AppointmentFilter, string> = {
  upcoming: "You don't have any upcoming appointments.",
  past: "You don't have any past appointments.",
  all: "You don't have any appointments yet.",
}

type ListViewProps = {
  /** Buttons beside the search and the filters. */
  tools: ReactNode
  /** True to show the search, the filter and the tools on a narrow screen. */
  isToolsOpen: boolean
  toolsId: string
  scope: CalendarScope
  choice: AppointmentsView
  /** Called when the owner changes the view. `replace`: do not add an entry to the browser history. */
  onChoose: (change: Partial<AppointmentsView>, replace?: boolean) => void
  onOpen: (id: string) => void
  onClose: () => void
  onTurn: () => void
}

/** Lists appointments with filter, search and pages. Source: rules V2 and Y2. */
export function AppointmentListView(props: ListViewProps) {
  const { scope, choice, tools, isToolsOpen, toolsId, onChoose, onTurn } = props
  const { filter, search, page } = choice
  const query = useQuery(appointmentsQuery(scope, choice))
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
  useOpenedByReference(choice, data?.appointments, (id) => onChoose({ appointment: id }, true))

  const isNarrow = useIsNarrowScreen()
  const density = useRowDensity()
  const [first] = data?.appointments ?? []
  return (
    <>
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
        <Select
          label="Rows"
          className="w-full sm:w-40"
          options={DENSITIES}
          value={density}
          onChange={(next) => {
            setRowDensity(next)
            onChoose({ appointment: null }, true)
          }}
        />
        {tools}
      </div>
      <LoadStatus query={query} loading="Loading appointments..." failed="Failed to load appointments">
        {density === 'compact' && <CompactRowsPlaceholder />}
        {density === 'comfortable' &&
          (isNarrow ? <CollapsedAppointmentsPlaceholder /> : <AppointmentsPlaceholder />)}
      </LoadStatus>
      {data?.total === 0 && search === '' && (
        <EmptyState title="No appointments found" hint={EMPTY_HINTS[filter]} />
      )}
      {data?.total === 0 && search !== '' && (
        <EmptyState
          title="No appointments found"
          hint={`Nothing ${searchedIn(filter, scope)} matches “${search}”.`}
          action={<Button onClick={() => onChoose({ search: '', page: 1 })}>Clear search</Button>}
        />
      )}
      {density === 'compact' && (
        <RowsWithPanel {...props} appointments={data?.appointments} isStale={isPlaceholderData} />
      )}
      {density === 'comfortable' && first !== undefined && (
        <>
          {typeof scope === 'string' && (
            <p className="mb-2 text-sm text-ink-soft">{formatZone(first.time_zone, first.starts_at)}</p>
          )}
          <ComfortableRows
            appointments={data?.appointments ?? []}
            isStale={isPlaceholderData}
            hasCalendars={typeof scope !== 'string'}
          />
        </>
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

/**
 * Opens the appointment whose whole booking reference is in the URL's search: the links in emails and in the owner's
 * external calendar search for a reference. A reference that is typed later opens nothing.
 */
function useOpenedByReference(
  { search, appointment }: AppointmentsView,
  listed: readonly AppointmentRow[] | undefined,
  onOpen: (id: string) => void,
): void {
  const linked = useRef(appointment === null && search !== '' ? search : null)
  const open = useRef(onOpen)
  useEffect(() => {
    open.current = onOpen
  })
  useEffect(() => {
    if (listed === undefined || linked.current === null) return
    const found = listed.find(({ booking_reference }) => booking_reference === linked.current)
    linked.current = null
    if (found !== undefined) open.current(found.id)
  }, [listed])
}

type RowsWithPanelProps = Pick<ListViewProps, 'scope' | 'choice' | 'onChoose' | 'onOpen' | 'onClose'> & {
  /** Undefined while they load. */
  appointments: readonly AppointmentRow[] | undefined
  isStale: boolean
}

/** The compact rows, and the opened appointment beside them or in a sheet. */
function RowsWithPanel({ scope, choice, appointments, isStale, onOpen, onClose }: RowsWithPanelProps) {
  const { appointment: opened } = choice
  const box = useRef<HTMLDivElement>(null)
  const isBeside = useHasWidth(box, MIN_WIDTH_WITH_PANEL_PX)
  const panelId = useId()
  const [takesFocus, setTakesFocus] = useState(false)
  const { appointment, error, refetch } = useOpenedAppointment(scope, opened, appointments)
  useFocusAfterClosing(opened)
  const onFocused = useCallback(() => setTakesFocus(false), [])
  const panel = { appointment, error, onRetry: refetch, onClose }
  return (
    <div ref={box} className="flex items-start border-y border-line empty:border-0 max-sm:-mx-4 sm:-mx-6">
      {appointments !== undefined && appointments.length > 0 && (
        <div className="min-w-0 flex-1">
          <CompactRows
            appointments={appointments}
            timeZone={typeof scope === 'string' ? undefined : scope.timeZone}
            isStale={isStale}
            opened={opened}
            panelId={isBeside ? panelId : null}
            onOpen={(id, byKeyboard) => {
              setTakesFocus(byKeyboard && isBeside)
              if (id !== opened) onOpen(id)
            }}
            onClose={onClose}
          />
        </div>
      )}
      {isBeside && opened !== null && (
        <AppointmentPanel
          {...panel}
          id={panelId}
          takesFocus={takesFocus}
          onFocused={onFocused}
          onHeadingKeyDown={(event) => {
            const next = findTarget(event, opened, appointments ?? [])
            if (next === undefined) return
            event.preventDefault()
            onOpen(next)
          }}
        />
      )}
      {!isBeside && <AppointmentSheet {...panel} open={opened !== null} />}
    </div>
  )
}

/** A list of this width has space for a panel beside the rows. */
const MIN_WIDTH_WITH_PANEL_PX = 736

/** Focuses the row of the appointment that has just been closed, if the focus was in its panel. */
function useFocusAfterClosing(opened: string | null): void {
  const previous = useRef(opened)
  useEffect(() => {
    const closed = previous.current
    previous.current = opened
    if (opened !== null || closed === null || document.activeElement !== document.body) return
    document.getElementById(rowButtonId(closed))?.focus({ preventScroll: true })
  }, [opened])
}

type ComfortableRowsProps = {
  appointments: readonly AppointmentRow[]
  isStale: boolean
  /** True to show the calendar and its time zone with each appointment. */
  hasCalendars: boolean
}

/** The appointments with everything in their rows. On a phone, each is one line that opens. Source: rule Y2. */
function ComfortableRows({ appointments, isStale, hasCalendars }: ComfortableRowsProps) {
  const isNarrow = useIsNarrowScreen()
  return (
    <ul
      aria-label="Appointments"
      aria-busy={isStale}
      className="@container divide-y divide-line border-t border-line aria-busy:opacity-60"
    >
      {appointments.map((appointment) => (
        <li key={appointment.id}>
          {isNarrow ? (
            <CollapsedAppointment appointment={appointment} when={<ShortWhen appointment={appointment} />}>
              <AppointmentContent
                appointment={appointment}
                zone={hasCalendars}
                hasCalendarName={hasCalendars}
              />
            </CollapsedAppointment>
          ) : (
            <AppointmentItem appointment={appointment} zone={hasCalendars} hasCalendarName={hasCalendars} />
          )}
        </li>
      ))}
    </ul>
  )
}

function searchedIn(filter: AppointmentFilter, scope: CalendarScope): string {
  if (filter === 'upcoming') return 'upcoming'
  if (filter === 'past') return 'in the past'
  return typeof scope === 'string' ? 'in this calendar' : 'in your calendars'
}

/** Shows `Tue, Dec 1` above `9:30 AM`. */
function ShortWhen({ appointment }: { appointment: AppointmentRow }) {
  const { date, starts_at, time_zone, hour_cycle } = appointment
  return (
    <>
      <span className="block text-xs text-ink-soft">
        {formatWeekday(date)}, {formatMonthDay(date)}
      </span>
      {formatTime(starts_at, time_zone, hour_cycle)}
    </>
  )
}
