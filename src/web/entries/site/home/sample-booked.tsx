import { AppointmentSummary } from '#web/areas/appointments/bookings/appointment-summary.tsx'
import { CONFIRMED_HEADING } from '#web/areas/appointments/bookings/booking-outcome.tsx'
import { Button } from '#web/ui/button.tsx'
import { CircleCheck } from '#web/ui/icons/circle-check.ts'
import { Notice } from '#web/ui/notice.tsx'
import { type SampleBookingChoice, toSampleAppointment } from './sample-appointment.ts'

/** The last step: shows what a customer would see now, and says that no booking was made. */
export function SampleConfirmation({
  choice,
  onAgain,
}: {
  choice: SampleBookingChoice
  onAgain: () => void
}) {
  return (
    <div className="grid content-start gap-5">
      <h3 data-step tabIndex={-1} className="flex items-center gap-3 rounded-sm text-2xl">
        <CircleCheck aria-hidden="true" className="size-8 shrink-0 text-success" />
        {CONFIRMED_HEADING}
      </h3>
      <div className="grid gap-6 lg:grid-cols-2">
        <AppointmentSummary appointment={toSampleAppointment(choice)} />
        <div className="grid content-start justify-items-start gap-5">
          <Notice title="This was a sample">
            Nothing was booked and no email was sent. On your own page, you and your customer would both get
            an email now, with a file for your calendars.
          </Notice>
          <Button onClick={onAgain}>Make Another Booking</Button>
        </div>
      </div>
    </div>
  )
}
