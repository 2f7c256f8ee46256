import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { CalendarConnection } from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { toast } from '#web/ui/toast.tsx'
import { cacheExternalCalendars } from './integration-queries.ts'
import { PROVIDER_TEXTS } from './provider-words.ts'

type DisconnectDialogProps = {
  calendar: Calendar
  connection: CalendarConnection
  open: boolean
  /** Receives focus after the dialog closes, because the pressed button may no longer exist. */
  home: RefObject<HTMLElement | null>
  onOpenChange: (open: boolean) => void
}

const FATES = [
  { value: 'keep', label: 'Keep them', hint: 'They stay as they are, and we no longer update them.' },
  { value: 'remove', label: 'Remove them', hint: 'The appointments themselves stay here.' },
] as const

/** Lets the owner disconnect an account, and keep or remove the events written to it. Source: rule G20. */
export function DisconnectCalendarAccountDialog({
  calendar,
  connection,
  open,
  home,
  onOpenChange,
}: DisconnectDialogProps) {
  const client = useQueryClient()
  const [events, setEvents] = useState<'keep' | 'remove'>('keep')
  const { id, provider, account_name, can_write, state } = connection
  const isReachable = state === 'active'
  const { name } = PROVIDER_TEXTS[provider]
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      callApi(at.disconnectExternalCalendar, {
        params: { id: calendar.id, connection_id: id },
        query: { events: isReachable ? events : 'keep' },
      }),
    onSuccess: (external) => {
      toast.success(`${name} disconnected`)
      cacheExternalCalendars(client, calendar.id, external)
      onOpenChange(false)
    },
    onError: (error) => toast.error(`Failed to disconnect ${name}: ${toProblem(error).message}`),
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Disconnect ${name}?`}
      description={
        <>
          Busy times in the calendars of <span className="wrap-anywhere">{account_name}</span> will be offered
          to customers again, in all your calendars here.
        </>
      }
      confirmLabel="Disconnect"
      pendingLabel="Disconnecting..."
      pending={isPending}
      onConfirm={mutate}
      tone="danger"
      focusAfter={() => home.current}
    >
      {can_write && !isReachable && (
        <p>
          Access to this account has expired, so your appointments’ events stay there. To remove them,
          reconnect the account first.
        </p>
      )}
      {can_write && isReachable && (
        <RadioGroup
          legend="Your appointments’ events there"
          options={FATES}
          value={events}
          onChange={setEvents}
        />
      )}
    </ConfirmDialog>
  )
}
