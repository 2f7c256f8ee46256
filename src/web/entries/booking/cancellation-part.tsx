import { AppointmentSummary } from '#web/areas/appointments/bookings/appointment-summary.tsx'
import { CancellationPage } from '#web/areas/appointments/cancellations/cancellation-page.tsx'

/** The cancellation page with what the booking feature draws of the appointment. It is downloaded when it is opened. */
export function CancellationPart({ appointmentId }: { appointmentId: string }) {
  return (
    <CancellationPage
      appointmentId={appointmentId}
      summary={(appointment) => <AppointmentSummary appointment={appointment} />}
    />
  )
}
