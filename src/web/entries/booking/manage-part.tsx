import { AppointmentSummary } from '#web/areas/appointments/bookings/appointment-summary.tsx'
import { ConfirmEmail } from '#web/areas/appointments/bookings/confirm-email.tsx'
import { MoveTimes } from '#web/areas/appointments/bookings/move-times.tsx'
import { ManagePage } from '#web/areas/appointments/customer-page/manage-page.tsx'
import { paths } from '#web/shared/paths.ts'

/** The customer's page of an appointment with what the booking feature draws of it. It is downloaded when it is opened. */
export function ManagePart({ token }: { token: string }) {
  return (
    <ManagePage
      token={token}
      moveTimes={(chosen) => <MoveTimes {...chosen} />}
      summary={(appointment) => <AppointmentSummary appointment={appointment} />}
      confirmEmail={(appointment, onConfirmed) => (
        <ConfirmEmail
          appointment={appointment}
          kept={null}
          bookingPath={paths.book(appointment.calendar_slug)}
          takesFocus={false}
          onConfirmed={onConfirmed}
        />
      )}
    />
  )
}
