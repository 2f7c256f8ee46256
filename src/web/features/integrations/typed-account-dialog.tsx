import type { CalendarProviderName } from '#contract/external-calendars.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { AddressForm } from './address-form.tsx'
import { CaldavForm } from './caldav-form.tsx'

type TypedAccountDialogProps = {
  calendarId: string
  provider: Extract<CalendarProviderName, 'caldav' | 'ics'>
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks for what connects an account without a page of its provider. The account that it is connected to is renewed by it. */
export function TypedAccountDialog({ calendarId, provider, open, onOpenChange }: TypedAccountDialogProps) {
  const done = () => onOpenChange(false)
  return provider === 'caldav' ? (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Connect to CalDAV"
      description="The password is stored encrypted and is used for this calendar only."
    >
      <CaldavForm calendarId={calendarId} onDone={done} />
    </Dialog>
  ) : (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add a calendar address"
      description="The address is stored encrypted. Whoever knows it can read the calendar."
    >
      <AddressForm calendarId={calendarId} onDone={done} />
    </Dialog>
  )
}
