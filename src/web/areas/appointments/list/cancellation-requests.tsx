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
        {total === 1 ? '1 request to cancel waits for you' : `${total} requests to cancel wait for you`}
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Requests to cancel">
        {appointments.length === 0 && <p role="status">Every request is answered.</p>}
        <ul aria-label="Requests to cancel" className="@container -my-5 divide-y divide-line">
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
