import { type ReactNode, useRef, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { CalendarConnection } from '#contract/external-calendars/external-calendars.ts'
import { useNow } from '#web/kit/use-now.ts'
import { Button } from '#web/ui/button.tsx'
import { CircleCheck } from '#web/ui/icons/circle-check.ts'
import { RefreshCw } from '#web/ui/icons/refresh-cw.ts'
import { Notice } from '#web/ui/notice.tsx'
import { decideAccountUse } from './account-use.ts'
import { DisconnectCalendarAccountDialog } from './disconnect-dialog.tsx'
import { lastCheckedText, nextSyncText, pendingWritesText } from './health-words.ts'
import { PROVIDER_TEXTS } from './provider-words.ts'
import { UnreadableEventsNotice } from './unreadable-notice.tsx'
import { useReconnectAccount } from './use-reconnect.tsx'
import { useSyncNow } from './use-sync.ts'

type AccountSectionProps = {
  calendar: Calendar
  connection: CalendarConnection
  /** The number of appointments that still have to be written to this account. */
  waitingEvents: number
  /**
   * False if the plan or the installation no longer supports the provider. The account can then only be disconnected.
   */
  canRenew: boolean
  children?: ReactNode
}

/** Shows a connected account with its state, and buttons for its actions. */
export function ConnectedAccountSection(props: AccountSectionProps) {
  const { calendar, connection, waitingEvents, canRenew, children } = props
  const { provider, account_name, state } = connection
  const [asking, setAsking] = useState(false)
  const home = useRef<HTMLElement>(null)
  const { reconnect, isLeaving, dialog } = useReconnectAccount(calendar.id)
  const { sync, isSyncing } = useSyncNow({ calendarId: calendar.id, provider, onReconnect: reconnect })
  const { name } = PROVIDER_TEXTS[provider]
  if (state === 'revoked') {
    return (
      <p className="text-ink-soft">
        <span className="wrap-anywhere">{account_name}</span> is disconnected. We’re removing the events
        there.
      </p>
    )
  }
  return (
    <section
      ref={home}
      aria-label={account_name}
      className="flex flex-col gap-5 not-first:border-t not-first:border-line not-first:pt-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          {state === 'active' && <Use connection={connection} />}
          <p className="wrap-anywhere">{account_name}</p>
          <Health connection={connection} waitingEvents={waitingEvents} />
        </div>
        <div className="flex flex-wrap gap-2">
          {state === 'active' && (
            <Button size="sm" pending={isSyncing} pendingLabel="Syncing..." onClick={sync}>
              <RefreshCw aria-hidden="true" className="size-4" />
              Sync Now
            </Button>
          )}
          <Button size="sm" onClick={() => setAsking(true)}>
            Disconnect
          </Button>
        </div>
      </div>
      {state === 'expired' && (
        <Notice
          tone="danger"
          title={`${name} connection expired.`}
          action={
            canRenew && (
              <Button
                size="sm"
                pending={isLeaving}
                pendingLabel="Connecting..."
                onClick={() => reconnect(connection)}
              >
                Reconnect
              </Button>
            )
          }
        >
          {name} no longer gives us access. Nothing is lost: we’ll add waiting appointments once you
          reconnect.
        </Notice>
      )}
      {state === 'active' && connection.problem !== null && <Trouble connection={connection} />}
      {connection.calendars.map((external) => (
        <UnreadableEventsNotice key={external.id} calendar={external} provider={provider} />
      ))}
      {children}
      {dialog}
      <DisconnectCalendarAccountDialog
        calendar={calendar}
        connection={connection}
        home={home}
        open={asking}
        onOpenChange={setAsking}
      />
    </section>
  )
}

/** Shows how the calendar uses the account, if at all. Source: rule G32. */
function Use({ connection }: { connection: CalendarConnection }) {
  const use = decideAccountUse(connection)
  if (use.kind === 'none') return <p className="font-semibold">Not used for this calendar</p>
  return (
    <p className="flex items-start gap-2 font-semibold">
      <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
      <span className="wrap-anywhere">
        {use.kind === 'itself' ? PROVIDER_TEXTS[connection.provider].connected : `Read for ${use.by.name}`}
      </span>
    </p>
  )
}

/** Shows the sync state, such as `Checked 2 minutes ago · 3 appointments wait to be written`. Source: rule G11. */
function Health({ connection, waitingEvents }: { connection: CalendarConnection; waitingEvents: number }) {
  const now = useNow()
  const texts = [lastCheckedText(connection, now), pendingWritesText(waitingEvents)]
  return <p className="text-sm text-ink-soft">{texts.filter((text) => text !== null).join(' · ')}</p>
}

function Trouble({ connection }: { connection: CalendarConnection }) {
  const now = useNow()
  return (
    <Notice tone="warning" title="The last check failed">
      {connection.problem} {nextSyncText(connection, now)}
    </Notice>
  )
}
