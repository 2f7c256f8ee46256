import { type ReactNode, useEffect, useRef, useState } from 'react'
import { DEFAULT_SLOT_RULES } from '#core/slots/slot-rules.ts'
import { browserTimeZone } from '#web/shared/format-date.ts'
import { useIsNarrowScreen } from '#web/shared/use-is-narrow.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Download } from '#web/ui/icons/download.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { AgendaView } from './agenda-view.tsx'
import { appointmentsFilePath } from './appointment-queries.ts'
import {
  type AppointmentsView,
  type AppointmentsViewName,
  DEFAULT_APPOINTMENTS_VIEW,
} from './appointments-view.ts'
import { AppointmentListView } from './list-view.tsx'
import { UndeliveredNotice } from './undelivered-notice.tsx'

const VIEWS = [
  { value: 'list', label: 'List' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
] as const satisfies readonly { value: AppointmentsViewName; label: string }[]

type AppointmentsCardProps = {
  calendarId: string
  /** The heading of the card, if it is not 'Appointments'. */
  title?: ReactNode
  /** The calendar's time zone, which decides which date is today. */
  timeZone?: string | undefined
  /** Minutes between consecutive start times that customers are offered. Dragged appointments snap to these times. */
  slotMinutes?: number | undefined
  /** The chosen view, if the caller stores it (for example in the URL). */
  choice?: AppointmentsView | undefined
  onChoose?: ((choice: AppointmentsView, replace: boolean) => void) | undefined
  /** Additional buttons in the card's header. */
  actions?: ReactNode
}

/** Shows a calendar's appointments as a list, a day or a week. Source: rule V2. */
export function AppointmentsCard(props: AppointmentsCardProps) {
  const {
    calendarId,
    title = 'Appointments',
    timeZone,
    slotMinutes = DEFAULT_SLOT_RULES.slotMinutes,
    choice,
    onChoose,
    actions,
  } = props
  const [ownChoice, setOwnChoice] = useState(DEFAULT_APPOINTMENTS_VIEW)
  const chosen = choice ?? ownChoice
  // The latest choice, because the URL is updated asynchronously: a second quick change must not undo the first.
  const latest = useRef({ choice: chosen, key: JSON.stringify(chosen) })
  useEffect(() => {
    const key = JSON.stringify(chosen)
    if (key !== latest.current.key) latest.current = { choice: chosen, key }
  })
  const change = (part: Partial<AppointmentsView>, replace = false) => {
    const next = { ...latest.current.choice, ...part }
    latest.current.choice = next
    setOwnChoice(next)
    onChoose?.(next, replace)
  }
  const top = useRef<HTMLElement>(null)
  const isNarrow = useIsNarrowScreen()
  const exportLink = (
    <ButtonLink href={appointmentsFilePath(calendarId, chosen)} download="">
      <Download aria-hidden="true" className="size-5" />
      Export CSV
    </ButtonLink>
  )
  return (
    <Card
      ref={top}
      className="scroll-mt-4"
      title={title}
      description="Manage your appointments and payment statuses"
      actions={
        <div className="flex flex-wrap items-center gap-2 sm:gap-3">
          {chosen.view === 'list' && !isNarrow && exportLink}
          {actions}
          <SegmentedControl
            legend="View"
            options={VIEWS}
            value={chosen.view}
            onChange={(view) => change({ view })}
          />
        </div>
      }
    >
      <UndeliveredNotice calendarId={calendarId} />
      {chosen.view === 'list' ? (
        <AppointmentListView
          calendarId={calendarId}
          choice={chosen}
          exportLink={exportLink}
          onChoose={change}
          onTurn={() => top.current?.scrollIntoView({ block: 'start' })}
        />
      ) : (
        <AgendaView
          calendarId={calendarId}
          view={chosen.view}
          date={chosen.date}
          timeZone={timeZone ?? browserTimeZone()}
          slotMinutes={slotMinutes}
          onDate={(date) => change({ date })}
        />
      )}
    </Card>
  )
}
