import type { Calendar } from '#contract/calendars.ts'
import type { ExternalCalendars } from '#contract/external-calendars.ts'
import { SmallButtonShape } from '#web/kit/loading-shape.tsx'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CalendarDays } from '#web/ui/icons/calendar-days.ts'
import { RefreshCw } from '#web/ui/icons/refresh-cw.ts'
import { useAuthorize } from './use-authorize.ts'
import { useReconnect } from './use-reconnect.tsx'
import { useSync } from './use-sync.ts'

type CalendarSyncActionProps = {
  calendar: Calendar
  /** What is known of the owner's accounts. */
  external: ExternalCalendars | undefined
  isLoading: boolean
}

/** On a calendar's card: connects it to Google Calendar, or syncs it once it is connected. Source: rule W5. */
export function CalendarSyncAction({ calendar, external, isLoading }: CalendarSyncActionProps) {
  if (calendar.is_connected_to_google) return <SyncAction calendar={calendar} />
  if (external === undefined) return isLoading && <SmallButtonShape className="w-61" />
  const hasAccount = external.connections.some(({ provider }) => provider === 'google')
  // An account that another calendar uses needs no further consent, only a choice.
  if (hasAccount) return <ChooseAction calendar={calendar} />
  return external.offered.includes('google') && <ConnectAction calendar={calendar} />
}

function SyncAction({ calendar }: { calendar: Calendar }) {
  const { reconnect, dialog } = useReconnect(calendar.id)
  const { sync, isSyncing } = useSync({ calendarId: calendar.id, provider: 'google', onReconnect: reconnect })
  return (
    <>
      <Button size="sm" pending={isSyncing} pendingLabel="Syncing..." onClick={sync}>
        <RefreshCw aria-hidden="true" className="size-4" />
        Sync with Google Calendar
      </Button>
      {dialog}
    </>
  )
}

function ChooseAction({ calendar }: { calendar: Calendar }) {
  return (
    <ButtonLink size="sm" href={paths.calendarSettings(calendar.id, 'integrations')}>
      <CalendarDays aria-hidden="true" className="size-4" />
      Connect to Google Calendar
    </ButtonLink>
  )
}

function ConnectAction({ calendar }: { calendar: Calendar }) {
  const { authorize, isLeaving } = useAuthorize(calendar.id, 'google')
  return (
    <Button
      size="sm"
      pending={isLeaving}
      pendingLabel="Connecting..."
      onClick={() => authorize({ access: 'read' })}
    >
      <CalendarDays aria-hidden="true" className="size-4" />
      Connect to Google Calendar
    </Button>
  )
}
