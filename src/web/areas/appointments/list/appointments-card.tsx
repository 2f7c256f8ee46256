import { type ReactNode, useEffect, useRef, useState } from 'react'
import { NEW_SLOT_RULES } from '#core/slots/slot-rules.ts'
import { browserTimeZone } from '#web/shared/format-date.ts'
import { useIsNarrow } from '#web/shared/use-is-narrow.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Download } from '#web/ui/icons/download.ts'
import { AgendaView } from './agenda-view.tsx'
import { appointmentsFilePath } from './appointment-queries.ts'
import { type AppointmentsView, FIRST_CHOICE } from './appointments-view.ts'
import { ListView } from './list-view.tsx'
import { UndeliveredNotice } from './undelivered-notice.tsx'
import { ViewSwitch } from './view-switch.tsx'

type AppointmentsCardProps = {
  calendarId: string
  /** The calendar's; the day and week view begins with its today. */
  timeZone?: string | undefined
  /** Minutes between two starts that customers are offered: what is moved by hand snaps to them. */
  slotMinutes?: number | undefined
  /** The visible view, when something else keeps it, as the address does. */
  choice?: AppointmentsView | undefined
  onChoose?: ((choice: AppointmentsView, replace: boolean) => void) | undefined
  /** More buttons in the head of the card. */
  actions?: ReactNode
}

/** A calendar's appointments as a list, a day or a week. Source: rule V2. */
export function AppointmentsCard(props: AppointmentsCardProps) {
  const { calendarId, timeZone, slotMinutes = NEW_SLOT_RULES.slotMinutes, choice, onChoose, actions } = props
  const [ownChoice, setOwnChoice] = useState(FIRST_CHOICE)
  const chosen = choice ?? ownChoice
  // The address follows a moment later. Of two changes at once, the second must not undo the first.
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
  const isNarrow = useIsNarrow()
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
      title="Appointments"
      description="Manage your appointments and payment statuses"
      actions={
        <div className="flex flex-wrap items-center gap-2 sm:gap-3">
          {chosen.view === 'list' && !isNarrow && exportLink}
          {actions}
          <ViewSwitch value={chosen.view} onChange={(view) => change({ view })} />
        </div>
      }
    >
      <UndeliveredNotice calendarId={calendarId} />
      {chosen.view === 'list' ? (
        <ListView
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
