import type { CalendarProviderName } from '#contract/external-calendars/external-calendars.ts'
import { AddressDialog } from './address-dialog.tsx'
import { CaldavDialog } from './caldav-dialog.tsx'

type TypedAccountDialogProps = {
  calendarId: string
  provider: Extract<CalendarProviderName, 'caldav' | 'ics'>
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks for what connects an account without a page of its provider, or renews it. */
export function TypedAccountDialog({ provider, ...props }: TypedAccountDialogProps) {
  return provider === 'caldav' ? <CaldavDialog {...props} /> : <AddressDialog {...props} />
}
