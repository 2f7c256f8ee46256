import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { decideAction, needsConfirmation } from '#core/appointments/appointment-actions.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Mail } from '#web/ui/icons/mail.ts'
import { MapPin } from '#web/ui/icons/map-pin.ts'
import { Smartphone } from '#web/ui/icons/smartphone.ts'
import { ACTION_LABELS, toAppointmentState } from './action-labels.ts'
import type { DayAppointment } from './saved-day.ts'
import { useAppointmentAction } from './use-appointment-action.ts'

/** Lets the owner call or write to the customer, or get directions. These links work offline, too. Source: rule Y3. */
export function ContactLinks({ appointment }: { appointment: DayAppointment }) {
  const { customers, location, is_online } = appointment
  const { email, phone_numbers: numbers = [] } = customers
  // Choose a number without an extension, because text messages cannot reach extensions.
  const mobile = numbers.find(({ dials }) => !dials.includes(';'))
  const message = email ? `mailto:${email}` : mobile ? `sms:${mobile.dials}` : null
  const place = is_online ? null : location?.address || location?.name
  return (
    <>
      {numbers.map(({ typed, dials }) => (
        <ButtonLink key={dials} size="sm" href={`tel:${dials}`}>
          <Smartphone aria-hidden="true" className="size-4" />
          {numbers.length === 1 ? 'Call' : `Call ${typed}`}
        </ButtonLink>
      ))}
      {message !== null && (
        <ButtonLink size="sm" href={message}>
          <Mail aria-hidden="true" className="size-4" />
          Message
        </ButtonLink>
      )}
      {place && (
        <ButtonLink size="sm" href={routeTo(place)} target="_blank" rel="noopener noreferrer">
          <MapPin aria-hidden="true" className="size-4" />
          Route
        </ButtonLink>
      )}
    </>
  )
}

/** Lets the owner mark the payment as received. Hidden if no payment is due. Source: rule Y3. */
export function MarkPaidButton({ appointment }: { appointment: AppointmentRow }) {
  const { act, running } = useAppointmentAction(appointment)
  const state = toAppointmentState(appointment)
  const isPayable = appointment.price !== null && appointment.price > 0
  const canBePaid = isPayable && decideAction('mark_paid', state).ok && !needsConfirmation('mark_paid', state)
  if (!canBePaid) return null
  return (
    <Button
      size="sm"
      pending={running === 'mark_paid'}
      pendingLabel={ACTION_LABELS.mark_paid.pending}
      onClick={() => act({ action: 'mark_paid' }, () => undefined)}
    >
      {ACTION_LABELS.mark_paid.label}
    </Button>
  )
}

/** Returns a Google Maps URL, which opens a maps app or website on any device. Google is contacted only on a click. */
function routeTo(place: string): string {
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination: place })}`
}
