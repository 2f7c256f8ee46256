import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AgendaResponse, AppointmentRow } from '#contract/appointments/appointments.ts'
import { addDays, dayOfWeek } from '#core/shared/zoned-time.ts'
import type { CalendarScope } from '#web/kit/calendar-scope.ts'
import { HourCycleContext } from '#web/kit/hour-cycle.ts'
import { LoadingPlaceholder } from '#web/kit/loading-shape.tsx'
import { useNow } from '#web/kit/use-now.ts'
import { formatDateHeading, formatShortDate, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { useIsNarrowScreen } from '#web/shared/use-is-narrow.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useMatches } from '#web/ui/use-matches.ts'
import type { ExternalEvent } from './agenda-layout.ts'
import { AgendaNavigation } from './agenda-navigation.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { DayListsPlaceholder, TimeGridPlaceholder } from './appointment-placeholders.tsx'
import { agendaQuery, externalEventsQuery } from './appointment-queries.ts'
import { CalendarLegend } from './calendar-legend.tsx'
import { WeekAsDayLists } from './day-lists.tsx'
import { chooseRepresentative, groupSessions } from './group-sessions.ts'
import { MoveConfirmation } from './move-confirmation.tsx'
import { TimeGrid } from './time-grid.tsx'
import { describeClockChange } from './time-grid-day.tsx'
import { useMoveWithConfirmation } from './use-move-with-confirmation.ts'
import { useOpenedAppointment } from './use-opened-appointment.ts'

/** Matches phones with a text size at which the words of an appointment do not fit into the hours of the grid. */
const LARGE_TEXT = '(width < 17rem)'

type AgendaViewProps = {
  scope: CalendarScope
  view: 'day' | 'week'
  /** A date in the shown day or week; null for today. */
  date: string | null
  /** The time zone of the calendar or of the list, which decides which date is today. */
  timeZone: string
  onDate: (date: string | null) => void
  /** The id of the opened appointment; null when none is open. */
  opened: string | null
  onOpen: (id: string) => void
  onClose: () => void
  /** Minutes between consecutive start times that customers are offered. */
  slotMinutes: number
  /** Called with the start of the slot when the owner presses on an empty part of a day. */
  onPoint?: ((startsAt: string) => void) | undefined
}

/**
 * Shows a day or a week of a calendar in the calendar's time zone, or of all calendars. Weeks start on Monday, so that
 * the weekend stays together. Source: rules V7 and V13.
 */
export function AgendaView(props: AgendaViewProps) {
  const { scope, view, date, timeZone, onDate, opened, onOpen, onClose, slotMinutes, onPoint } = props
  const now = useNow()
  const nowMs = Date.parse(now)
  const isNarrow = useIsNarrowScreen()
  const isTextLarge = useMatches(LARGE_TEXT)
  const { move, confirmation } = useMoveWithConfirmation(timeZone)
  const today = localDateOf(now, timeZone)
  const chosen = date ?? today
  const first = view === 'day' ? chosen : mondayOf(chosen)
  const dayCount = view === 'day' ? 1 : 7
  const { data, error, refetch } = useQuery(agendaQuery(scope, first, dayCount))
  const external = useQuery(externalEventsQuery(scope, first, dayCount))
  const { appointment } = useOpenedAppointment(scope, opened, data?.appointments)
  const isList = isNarrow && (view === 'week' || isTextLarge)
  // Wait for both, because external events that load later could add hours, which would move the whole grid.
  const isReady = data !== undefined && !external.isPending

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <AgendaTitle view={view} first={first} agenda={data} timeZone={timeZone} now={now} />
        <AgendaNavigation
          unit={view}
          date={chosen}
          isToday={today >= first && today < addDays(first, dayCount)}
          onStep={(steps) => onDate(addDays(chosen, steps * dayCount))}
          onToday={() => onDate(null)}
          onDate={onDate}
        />
      </div>
      {data === undefined && error !== null && (
        <ErrorState title="Failed to load appointments" hint={error.message} onRetry={() => refetch()} />
      )}
      {(data !== undefined || error === null) && !isReady && (
        <LoadingPlaceholder text="Loading appointments...">
          {isList ? <DayListsPlaceholder /> : <TimeGridPlaceholder dayCount={dayCount} />}
        </LoadingPlaceholder>
      )}
      {isReady && (
        <AgendaDays
          agenda={data}
          external={external}
          isList={isList}
          hasCalendarNames={typeof scope !== 'string'}
          nowMs={nowMs}
          onOpen={({ id }) => onOpen(id)}
          slotMinutes={slotMinutes}
          onMove={move}
          onPoint={onPoint}
        />
      )}
      <AppointmentDialog appointment={appointment} onClose={onClose} />
      <MoveConfirmation {...confirmation} />
    </div>
  )
}

type AgendaTitleProps = Pick<AgendaViewProps, 'view' | 'timeZone'> & {
  first: string
  agenda: AgendaResponse | undefined
  now: string
}

/** The title: shows the dates, the time zone, and a clock change if there is one. */
function AgendaTitle({ view, first, agenda, timeZone, now }: AgendaTitleProps) {
  const shownZone = agenda?.time_zone ?? timeZone
  return (
    <div>
      <h3 className="text-xl font-semibold" aria-live="polite">
        {view === 'day' ? formatDateHeading(first) : weekTitle(first)}
      </h3>
      <p className="text-sm text-ink-soft">
        {formatZone(shownZone, agenda?.days[0]?.noon_at ?? now)}
        {view === 'day' &&
          agenda?.days.map((day) => describeClockChange(day) && ` · ${describeClockChange(day)}`)}
      </p>
    </div>
  )
}

type AgendaDaysProps = {
  agenda: AgendaResponse
  external: UseQueryResult<ExternalEvent[]>
  /** True to show the days below each other instead of side by side. */
  isList: boolean
  /** True to name the calendar of each appointment. */
  hasCalendarNames: boolean
  nowMs: number
  onOpen: (appointment: AppointmentRow) => void
  slotMinutes: number
  onMove: (appointment: AppointmentRow, startsAt: string) => Promise<void>
  onPoint: ((startsAt: string) => void) | undefined
}

/** Shows the requested days, and lets the owner show or hide cancelled appointments. Source: rule V8. */
function AgendaDays(props: AgendaDaysProps) {
  const { agenda, external, isList, hasCalendarNames, nowMs, onOpen, slotMinutes, onMove, onPoint } = props
  const [isCancelledShown, setCancelledShown] = useState(false)
  const cancelled = agenda.appointments.filter(({ status }) => status === 'cancelled').length
  const appointments = agenda.appointments.filter(({ status }) => isCancelledShown || status !== 'cancelled')
  const { days, time_zone: timeZone } = agenda
  const blocks = groupSessions(appointments).flatMap((group) => chooseRepresentative(group) ?? [])
  const events = external.data ?? []
  const shown = { days, appointments: blocks, events, timeZone, hasCalendarNames, nowMs, onOpen }
  return (
    <>
      {external.isError && external.data === undefined && (
        <Notice
          tone="warning"
          title="Your own calendars couldn’t be loaded"
          action={
            <Button size="sm" pending={external.isFetching} onClick={() => external.refetch()}>
              Try again
            </Button>
          }
        >
          Their events aren’t shown below. {external.error.message}
        </Notice>
      )}
      {!agenda.is_complete && (
        <Notice tone="warning">
          There are too many appointments to show here. The list has all of them.
        </Notice>
      )}
      <p role="status" className={appointments.length > 0 ? 'sr-only' : 'text-ink-soft'}>
        {countText(appointments.length, agenda.days.length)}
      </p>
      {hasCalendarNames && appointments.length > 0 && <CalendarLegend appointments={appointments} />}
      <HourCycleContext value={agenda.hour_cycle}>
        {isList ? (
          <WeekAsDayLists {...shown} />
        ) : (
          <TimeGrid {...shown} {...{ slotMinutes, onMove, onPoint }} />
        )}
      </HourCycleContext>
      {cancelled > 0 && (
        <Switch
          label={`Show cancelled (${cancelled})`}
          checked={isCancelledShown}
          onChange={setCancelledShown}
        />
      )}
    </>
  )
}

function countText(count: number, days: number): string {
  if (count === 0) return `No appointments on ${days === 1 ? 'this day' : 'these days'}`
  return count === 1 ? '1 appointment' : `${count} appointments`
}

function mondayOf(date: string): string {
  return addDays(date, -((dayOfWeek(date) + 6) % 7))
}

function weekTitle(first: string): string {
  return `${formatShortDate(first)} – ${formatShortDate(addDays(first, 6))}`
}
