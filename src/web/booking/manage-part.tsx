import { AppointmentSummary } from '#web/features/booking/appointment-summary.tsx'
import { ConfirmEmail } from '#web/features/booking/confirm-email.tsx'
import { MoveTimes } from '#web/features/booking/move-times.tsx'
import { ManagePage } from '#web/features/manage/manage-page.tsx'
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
