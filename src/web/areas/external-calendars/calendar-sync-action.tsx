import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { SmallButtonPlaceholder } from '#web/kit/loading-shape.tsx'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CalendarDays } from '#web/ui/icons/calendar-days.ts'
import { RefreshCw } from '#web/ui/icons/refresh-cw.ts'
import { planIncludesExternalCalendars } from './account-use.ts'
import { useOpenConsentPage } from './use-authorize.ts'
import { useReconnectAccount } from './use-reconnect.tsx'
import { useSyncNow } from './use-sync.ts'

type CalendarSyncActionProps = {
  calendar: Calendar
  /** The owner's external calendar accounts; undefined until they have loaded. */
  external: ExternalCalendars | undefined
  isLoading: boolean
  /** The owner's plan; undefined until it has loaded. */
  subscription: SubscriptionResponse | undefined
}

/** The button on a calendar's card that connects the calendar to Google Calendar, or syncs it. Source: rule W5. */
export function CalendarSyncAction(props: CalendarSyncActionProps) {
  const { calendar, external, isLoading, subscription } = props
  if (calendar.is_connected_to_google) return <SyncAction calendar={calendar} />
  if (external === undefined) return isLoading && <SmallButtonPlaceholder className="w-61" />
  const hasAccount = external.connections.some(({ provider }) => provider === 'google')
  if (!hasAccount && !external.offered.includes('google')) return null
  // Link to the settings if the owner has connected an account for another calendar: it needs no new consent, only a
  // choice there. The settings also explain which features the plan lacks.
  return hasAccount || !planIncludesExternalCalendars(subscription) ? (
    <ChooseAction calendar={calendar} />
  ) : (
    <ConnectAction calendar={calendar} />
  )
}

function SyncAction({ calendar }: { calendar: Calendar }) {
  const { reconnect, dialog } = useReconnectAccount(calendar.id)
  const { sync, isSyncing } = useSyncNow({
    calendarId: calendar.id,
    provider: 'google',
    onReconnect: reconnect,
  })
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
  const { authorize, isLeaving } = useOpenConsentPage(calendar.id, 'google')
  return (
    <Button
      size="sm"
      pending={isLeaving}
      pendingLabel="Connecting..."
      onClick={() => authorize({ access: 'write' })}
    >
      <CalendarDays aria-hidden="true" className="size-4" />
      Connect to Google Calendar
    </Button>
  )
}
