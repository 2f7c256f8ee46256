import type {
  CalendarConnection,
  ExternalCalendars,
} from '#contract/external-calendars/external-calendars.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PROVIDER_TEXTS } from './provider-words.ts'
import { useReconnectAccount } from './use-reconnect.tsx'

type ExpiredBannerProps = {
  /** Any of the owner's calendars: the provider redirects back to this calendar's page. */
  calendarId: string
  external: ExternalCalendars
}

/** A banner for each account whose access has expired, with a button to reconnect. Source: rule G17. */
export function ExpiredAccountsBanner({ calendarId, external }: ExpiredBannerProps) {
  return external.connections
    .filter(({ state }) => state === 'expired')
    .map((connection) => (
      <ExpiredNotice key={connection.id} calendarId={calendarId} connection={connection} />
    ))
}

function ExpiredNotice({ calendarId, connection }: { calendarId: string; connection: CalendarConnection }) {
  const { reconnect, isLeaving, dialog } = useReconnectAccount(calendarId)
  const { name } = PROVIDER_TEXTS[connection.provider]
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
        Until you reconnect <span className="wrap-anywhere">{connection.account_name}</span>, we can’t see new
        events there or add your appointments.
      </Notice>
      {dialog}
    </>
  )
}

type TroubleBannerProps = {
  /** Any of the owner's calendars: each calendar's settings show the state of every account. */
  calendarId: string
  external: ExternalCalendars
}

/** A banner for each account that could not be read for a long time although its access is valid. Source: rule G17. */
export function FailingAccountsBanner({ calendarId, external }: TroubleBannerProps) {
  return external.connections
    .filter(({ state, troubled_since }) => state === 'active' && troubled_since !== null)
    .map(({ id, provider, account_name, problem }) => (
      <Notice
        key={id}
        tone="danger"
        title={`${PROVIDER_TEXTS[provider].name} can’t be read`}
        action={
          <ButtonLink href={`/calendar/${calendarId}/settings?tab=integrations`}>
            Open the settings
          </ButtonLink>
        }
      >
        {problem} New events in <span className="wrap-anywhere">{account_name}</span> aren’t seen. A day after
        the last sync, we stop offering times to customers.
      </Notice>
    ))
}
