import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { CalendarProviderName } from '#contract/external-calendars/external-calendars.ts'
import { Button } from '#web/ui/button.tsx'
import { asksForConsent, type ConsentProvider, PROVIDER_WORDS } from './provider-words.ts'
import { TypedAccountDialog } from './typed-account-dialog.tsx'
import { useAuthorize } from './use-authorize.ts'

type ConnectButtonProps = {
  calendar: Calendar
  provider: CalendarProviderName
  /** There is an account already. */
  isAnother: boolean
  isFirst: boolean
}

/** Connects an account: on the provider's page, or by what the owner types. */
export function ConnectButton({ provider, ...props }: ConnectButtonProps) {
  return asksForConsent(provider) ? (
    <ConsentButton provider={provider} {...props} />
  ) : (
    <TypedButton provider={provider} {...props} />
  )
}

function ConsentButton(props: ConnectButtonProps & { provider: ConsentProvider }) {
  const { calendar, provider, ...look } = props
  const { authorize, isLeaving } = useAuthorize(calendar.id, provider)
  return (
    <Button
      {...lookOf(look)}
      pending={isLeaving}
      pendingLabel="Connecting..."
      onClick={() => authorize({ access: 'read' })}
    >
      {look.isAnother ? 'Connect another account' : PROVIDER_WORDS[provider].connect}
    </Button>
  )
}

function TypedButton(props: ConnectButtonProps & { provider: 'caldav' | 'ics' }) {
  const { calendar, provider, ...look } = props
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...lookOf(look)} onClick={() => setOpen(true)}>
        {look.isAnother ? 'Connect another account' : PROVIDER_WORDS[provider].connect}
      </Button>
      <TypedAccountDialog calendarId={calendar.id} provider={provider} open={open} onOpenChange={setOpen} />
    </>
  )
}

/** At the lower edge of its card, so that the buttons of cards side by side are at one height. */
function lookOf({ isAnother, isFirst }: Pick<ConnectButtonProps, 'isAnother' | 'isFirst'>) {
  if (isAnother) return { variant: 'ghost', size: 'sm', className: '-ms-3 self-start' } as const
  return { variant: isFirst ? 'primary' : 'secondary', className: 'mt-auto self-start' } as const
}
