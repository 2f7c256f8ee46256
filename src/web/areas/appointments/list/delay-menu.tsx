import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type AppointmentRow,
  DELAY_NOTICE_MINUTES,
  MAX_DELAY_NOTICES,
} from '#contract/appointments/appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import { decideDelayNotice } from '#core/appointments/delay.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { useNow } from '#web/kit/use-now.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Menu } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'

type Minutes = (typeof DELAY_NOTICE_MINUTES)[number]

const CHOICES = DELAY_NOTICE_MINUTES.map(
  (minutes) => ({ id: `${minutes}`, label: `${minutes} minutes late` }) as const,
)

/** Lets the owner email the customer that their appointment is delayed. Hidden once the appointment is over. Source: rule Y4. */
export function DelayMenu({ appointment }: { appointment: AppointmentRow }) {
  const { id, calendar_id, delay, customers } = appointment
  const client = useQueryClient()
  const nowMs = Date.parse(useNow())
  const { mutate, isPending } = useMutation({
    mutationFn: (minutes: Minutes) =>
      callApi(at.tellDelay, {
        params: { id: calendar_id, appointment_id: id },
        body: { minutes, told: delay.told },
      }),
    onSuccess: (told) =>
      toast.success(
        `We’ll tell ${customers.name || 'the customer'} you’re about ${told.minutes} minutes late.`,
      ),
    onError: (error) => toast.error(error.message),
    onSettled: () => refreshAppointments(client),
  })
  if (isOver(appointment, nowMs)) return null
  const reason = whyNot(appointment, nowMs)
  const note = reason ?? toldSoFar(delay)
  return (
    <>
      <Menu
        label="Running late"
        items={CHOICES}
        onChoose={(minutes) => mutate(DELAY_NOTICE_MINUTES.find((one) => `${one}` === minutes) ?? 5)}
        pending={isPending}
        pendingLabel="Sending..."
        disabled={reason !== null}
      />
      {note !== null && <p className="w-full text-sm text-ink-soft">{note}</p>}
    </>
  )
}

/** True when the appointment has ended, even if it ends later because of the announced delay. */
function isOver({ ends_at, delay }: AppointmentRow, nowMs: number): boolean {
  return nowMs >= Date.parse(ends_at) + (delay.minutes ?? 0) * MINUTE_MS
}

function whyNot({ status, starts_at, customers, delay }: AppointmentRow, nowMs: number): string | null {
  const asked = {
    status,
    startsAtMs: Date.parse(starts_at),
    hasEmail: Boolean(customers.email),
    told: delay.told,
  }
  const decision = decideDelayNotice(asked, { minutes: LONGEST, maxTold: MAX_DELAY_NOTICES, nowMs })
  if (decision.ok) return null
  const canCall = Boolean(customers.phone) && decision.reason !== 'not_now'
  return canCall ? `${REASONS[decision.reason]} Please call.` : REASONS[decision.reason]
}

const LONGEST = Math.max(...DELAY_NOTICE_MINUTES)

const REASONS = {
  not_now: 'You can report a delay from two hours before the start of a confirmed appointment.',
  no_email: 'This customer has no email address.',
  told_often: 'We’ve already told the customer three times.',
} as const

function toldSoFar({ minutes }: AppointmentRow['delay']): string | null {
  return minutes === null ? null : `The customer knows you’re about ${minutes} minutes late.`
}
