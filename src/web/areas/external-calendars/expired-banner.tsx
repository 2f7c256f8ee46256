import type {
  CalendarConnection,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PROVIDER_WORDS } from './provider-words.ts'
import { useReconnect } from './use-reconnect.tsx'

type ExpiredBannerProps = {
  /** One of the owner's calendars: the way back from the provider leads to it. */
  calendarId: string
  external: ExternalCalendars
}

/** Each account whose provider does not let us in any more, with the way to reconnect. Source: rule G17. */
export function ExpiredBanner({ calendarId, external }: ExpiredBannerProps) {
  return external.connections
    .filter(({ state }) => state === 'expired')
    .map((connection) => (
      <ExpiredNotice key={connection.id} calendarId={calendarId} connection={connection} />
    ))
}

function ExpiredNotice({ calendarId, connection }: { calendarId: string; connection: CalendarConnection }) {
  const { reconnect, isLeaving, dialog } = useReconnect(calendarId)
  const { name } = PROVIDER_WORDS[connection.provider]
  return (
    <>
      <Notice
        tone="danger"
        title={`${name} connection expired`}
        action={
          <Button
            pending={isLeaving}
            pendingLabel="Connecting..."
            aria-label={isLeaving ? undefined : `Reconnect ${name}`}
            onClick={() => reconnect(connection)}
          >
            Reconnect
          </Button>
        }
      >
        Until you reconnect <span className="wrap-anywhere">{connection.account_name}</span>, new events there
        are not seen, and your appointments wait to be written.
      </Notice>
      {dialog}
    </>
  )
}
