import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { DEFAULT_SLOT_RULES } from '#core/slots/slot-rules.ts'
import { browserTimeZone } from '#web/shared/format-date.ts'
import { useIsNarrowScreen } from '#web/shared/use-is-narrow.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Download } from '#web/ui/icons/download.ts'
import { Search } from '#web/ui/icons/search.ts'
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
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'list', label: 'List' },
] as const satisfies readonly { value: AppointmentsViewName; label: string }[]

type AppointmentsCardProps = {
  /** Null for all calendars of the owner, which have the colours and names of their calendars. */
  calendarId: string | null
  /** The heading of the card, instead of 'Appointments' with its description. */
  title?: ReactNode
  /** The time zone of the calendar or of the list, which decides which date is today. */
  timeZone?: string | undefined
  /** Minutes between consecutive start times that customers are offered. Dragged appointments snap to these times. */
  slotMinutes?: number | undefined
  /** The chosen view, if the caller stores it (for example in the URL). */
  choice?: AppointmentsView | undefined
  onChoose?: ((choice: AppointmentsView, replace: boolean) => void) | undefined
  /** Goes back in the history of the choices, if the caller stores them there. */
  onBack?: (() => void) | undefined
  /** Called with the start of the slot when the owner presses on an empty part of a day. */
  onPoint?: ((startsAt: string) => void) | undefined
  /** The main button, which is always in the card's header. */
  mainAction?: ReactNode
  /** Additional buttons. On narrow screens they are with the search, or below the days. */
  actions?: ReactNode
}

/** Shows the appointments of a calendar or of all calendars as a list, a day or a week. Source: rules V2 and V13. */
export function AppointmentsCard(props: AppointmentsCardProps) {
  const {
    calendarId,
    title,
    timeZone = browserTimeZone(),
    slotMinutes = DEFAULT_SLOT_RULES.slotMinutes,
    mainAction,
    actions,
    onPoint,
  } = props
  const scope = calendarId ?? { timeZone }
  const { chosen, change, open, close } = useChoice(props)
  const top = useRef<HTMLElement>(null)
  const isNarrow = useIsNarrowScreen()
  const isFiltered = chosen.search !== '' || chosen.filter !== DEFAULT_APPOINTMENTS_VIEW.filter
  const [isToolsOpen, setToolsOpen] = useState(isFiltered)
  const toolsId = useId()
  const isList = chosen.view === 'list'
  // Beside the list of settings, one line has no room for all of them.
  const isSplit = title === undefined && !isNarrow
  const controls = (
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full sm:gap-3">
      {!isSplit && !isNarrow && actions}
      <SegmentedControl
        legend="View"
        options={VIEWS}
        value={chosen.view}
        onChange={(view) => change({ view, appointment: null })}
      />
      {isList && isNarrow && (
        <ToolsButton toolsId={toolsId} isOpen={isToolsOpen} onPress={() => setToolsOpen(!isToolsOpen)} />
      )}
      {!isSplit && mainAction}
    </div>
  )
  return (
    <Card
      ref={top}
      className="scroll-mt-4 max-sm:p-4"
      title={title ?? 'Appointments'}
      description={title === undefined ? 'Manage your appointments and payment statuses' : undefined}
      actions={isSplit ? mainAction : controls}
    >
      {isSplit && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
          {controls}
          <div className="flex flex-wrap gap-3 empty:hidden">{actions}</div>
        </div>
      )}
      <UndeliveredNotice scope={scope} />
      {isList ? (
        <AppointmentListView
          scope={scope}
          choice={chosen}
          tools={
            <>
              <ExportLink href={appointmentsFilePath(scope, chosen)} isLabelled={isNarrow} />
              {isNarrow && actions}
            </>
          }
          isToolsOpen={isToolsOpen}
          toolsId={toolsId}
          onChoose={change}
          onOpen={open}
          onClose={close}
          onTurn={() => top.current?.scrollIntoView({ block: 'start' })}
        />
      ) : (
        <AgendaView
          scope={scope}
          view={chosen.view}
          date={chosen.date}
          opened={chosen.appointment}
          timeZone={timeZone}
          slotMinutes={slotMinutes}
          onPoint={onPoint}
          onDate={(date) => change({ date, appointment: null })}
          onOpen={open}
          onClose={close}
        />
      )}
      {!isList && isNarrow && <div className="mt-4 flex flex-wrap gap-2 empty:hidden">{actions}</div>}
    </Card>
  )
}

function ExportLink({ href, isLabelled }: { href: string; isLabelled: boolean }) {
  return (
    <ButtonLink href={href} download="" title="Export CSV" className={isLabelled ? undefined : 'px-3!'}>
      <Download aria-hidden="true" className="size-5" />
      <span className={isLabelled ? undefined : 'sr-only'}>Export CSV</span>
    </ButtonLink>
  )
}

type ToolsButtonProps = { toolsId: string; isOpen: boolean; onPress: () => void }

/** Shows or hides the search, the filter and the tools of a list on a narrow screen. */
function ToolsButton({ toolsId, isOpen, onPress }: ToolsButtonProps) {
  return (
    <Button
      aria-label="Search, filter and export"
      aria-expanded={isOpen}
      aria-controls={toolsId}
      className="px-3!"
      onClick={onPress}
    >
      <Search aria-hidden="true" className="size-5" />
    </Button>
  )
}

/** Stores the choice, in the caller's URL if there is one, and opens and closes an appointment as one step of the history. */
function useChoice({ choice, onChoose, onBack }: AppointmentsCardProps) {
  const [ownChoice, setOwnChoice] = useState(DEFAULT_APPOINTMENTS_VIEW)
  const chosen = choice ?? ownChoice
  // The latest choice, because the URL is updated asynchronously: a second quick change must not undo the first.
  const latest = useRef({ choice: chosen, key: JSON.stringify(chosen) })
  // True while the entry before the current one in the history is this list without the opened appointment.
  const isOpenedHere = useRef(false)
  const wasOpen = useRef(chosen.appointment !== null)
  useEffect(() => {
    const key = JSON.stringify(chosen)
    if (key !== latest.current.key) latest.current = { choice: chosen, key }
    // Not whenever nothing is open: the URL may not have the appointment yet that has just been opened.
    if (wasOpen.current && chosen.appointment === null) isOpenedHere.current = false
    wasOpen.current = chosen.appointment !== null
  })
  const change = (part: Partial<AppointmentsView>, replace = false) => {
    // Another filter or page is a new list, in which nothing is open.
    const next = { ...latest.current.choice, ...(isAnotherList(part) ? { appointment: null } : {}), ...part }
    latest.current.choice = next
    setOwnChoice(next)
    onChoose?.(next, replace)
  }
  const open = (appointment: string) => {
    const isFollowing = latest.current.choice.appointment !== null
    if (!isFollowing) isOpenedHere.current = true
    change({ appointment }, isFollowing)
  }
  const close = () => {
    const goesBack = isOpenedHere.current && onBack !== undefined
    isOpenedHere.current = false
    if (goesBack) onBack()
    else change({ appointment: null }, true)
  }
  return { chosen, change, open, close }
}

function isAnotherList(part: Partial<AppointmentsView>): boolean {
  return part.filter !== undefined || part.search !== undefined || part.page !== undefined
}
