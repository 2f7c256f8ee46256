import { useQuery } from '@tanstack/react-query'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { type RequestedTime, timeCheckQuery } from '#web/kit/time-check-query.ts'
import { Switch } from '#web/ui/switch.tsx'
import type { NewAppointmentForm } from './new-appointment-form.ts'

type NotifySwitchProps = {
  calendarId: string
  asked: RequestedTime | null
  form: UseFormReturn<NewAppointmentForm>
}

/** Lets the owner decide whether a confirmation email is sent. If none can be sent, the switch is disabled, with the reason. */
export function NotifySwitch({ calendarId, asked, form }: NotifySwitchProps) {
  const { data: judged } = useQuery(timeCheckQuery(calendarId, asked))
  const email = form.watch('email').trim()
  const hasBegun = asked !== null && judged !== undefined && Date.parse(judged.starts_at) <= Date.now()
  const isPossible = email !== '' && !hasBegun
  return (
    <Controller
      control={form.control}
      name="notify"
      render={({ field }) => (
        <Switch
          label="Send a confirmation email"
          checked={field.value && isPossible}
          disabled={!isPossible}
          onChange={field.onChange}
          hint={hintOf(email, hasBegun)}
        />
      )}
    />
  )
}

function hintOf(email: string, hasBegun: boolean): string {
  if (hasBegun) return 'The appointment has started, so we won’t send anything.'
  return email === '' ? 'There is no email address to send it to.' : `To ${email}, with a link to cancel.`
}
