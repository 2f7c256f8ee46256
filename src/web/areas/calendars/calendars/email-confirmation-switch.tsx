import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { showChangedCalendar } from '#web/kit/calendar-cache.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'

/**
 * Whether customers must confirm their email address with a code before a booking counts. It is saved at once.
 * Source: rule B24.
 */
export function EmailConfirmationSwitch({ calendar }: { calendar: Calendar }) {
  const client = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isRequired: boolean) =>
      callApi(at.updateCalendar, {
        params: { id: calendar.id },
        body: { email_confirmation_required: isRequired },
      }),
    onSuccess: (saved) => {
      showChangedCalendar(client, saved)
      toast.success('Booking settings updated')
    },
    onError: (error) => toast.error(`Failed to update booking settings: ${error.message}`),
  })
  const isRequired = calendar.email_confirmation_required
  return (
    <Switch
      label="Confirm email addresses with a code"
      hint={
        isRequired
          ? 'A booking counts once its customer has typed the code from an email. Until then the time is held for 15 minutes.'
          : 'A booking counts at once. Turn this on when strangers book with addresses that are not theirs.'
      }
      checked={isPending ? variables : isRequired}
      onChange={(checked) => !isPending && mutate(checked)}
    />
  )
}
