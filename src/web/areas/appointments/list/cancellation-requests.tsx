import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { AppointmentItem } from './appointment-item.tsx'
import { upcomingAppointmentsQuery } from './appointment-queries.ts'

/** A button that opens the open cancellation requests and shows their number. Hidden if there are none. Source: rule Y9. */
export function CancellationRequests() {
  const { data } = useQuery(upcomingAppointmentsQuery)
  const [open, setOpen] = useState(false)
  const { total, appointments } = data?.cancellation_requests ?? { total: 0, appointments: [] }
  if (total === 0 && !open) return null
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="rounded-control text-start font-semibold text-link underline underline-offset-4 touch:min-h-11"
      >
        {total === 1 ? '1 cancellation request to review' : `${total} cancellation requests to review`}
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Cancellation requests">
        {appointments.length === 0 && <p role="status">You’ve answered every request.</p>}
        <ul aria-label="Cancellation requests" className="@container -my-5 divide-y divide-line">
          {appointments.map((appointment) => (
            <li key={appointment.id}>
              <AppointmentItem appointment={appointment} />
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
