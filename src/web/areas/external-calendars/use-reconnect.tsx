import { type ReactNode, useState } from 'react'
import type {
  CalendarConnection,
  CalendarProviderName,
} from '#contract/external-calendars/external-calendars.ts'
import { ConnectByAddressDialog } from './typed-account-dialog.tsx'
import { useOpenConsentPage } from './use-authorize.ts'

/** Lets the owner reconnect an account, on the provider's consent page or in a dialog. Source: rule G18. */
export function useReconnectAccount(calendarId: string): {
  reconnect: (connection: CalendarConnection) => void
  isLeaving: boolean
  /** The reconnect dialog. The caller must render it. */
  dialog: ReactNode
} {
  const google = useOpenConsentPage(calendarId, 'google')
  const microsoft = useOpenConsentPage(calendarId, 'microsoft')
  const [typed, setTyped] = useState<'caldav' | 'ics'>('caldav')
  const [open, setOpen] = useState(false)
  const toTyped = (provider: 'caldav' | 'ics') => {
    setTyped(provider)
    setOpen(true)
  }
  const ways: Readonly<Record<CalendarProviderName, (connection: CalendarConnection) => void>> = {
    google: (connection) => google.authorize(renewing(connection)),
    microsoft: (connection) => microsoft.authorize(renewing(connection)),
    caldav: () => toTyped('caldav'),
    ics: () => toTyped('ics'),
  }
  return {
    reconnect: (connection) => ways[connection.provider](connection),
    isLeaving: google.isLeaving || microsoft.isLeaving,
    dialog: (
      <ConnectByAddressDialog calendarId={calendarId} provider={typed} open={open} onOpenChange={setOpen} />
    ),
  }
}

/** The request body for reconnecting. Read access is enough: the server asks for at least the access granted before. */
function renewing({ id }: CalendarConnection) {
  return { connection_id: id, access: 'read' } as const
}
