import type { ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PROVIDER_WORDS } from './provider-words.ts'

type TroubleBannerProps = {
  /** One of the owner's calendars: its settings show how each account is. */
  calendarId: string
  external: ExternalCalendars
}

/** Each account that lets us in and yet cannot be read for long. Source: rule G17. */
export function TroubleBanner({ calendarId, external }: TroubleBannerProps) {
  return external.connections
    .filter(({ state, troubled_since }) => state === 'active' && troubled_since !== null)
    .map(({ id, provider, account_name, problem }) => (
      <Notice
        key={id}
        tone="danger"
        title={`${PROVIDER_WORDS[provider].name} cannot be read`}
        action={
          <ButtonLink href={`/calendar/${calendarId}/settings?tab=integrations`}>
            Open the settings
          </ButtonLink>
        }
      >
        {problem} New events in <span className="wrap-anywhere">{account_name}</span> are not seen. A day
        after the last sync, customers are offered no times.
      </Notice>
    ))
}
