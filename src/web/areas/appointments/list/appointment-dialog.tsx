import { useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { AppointmentItem } from './appointment-item.tsx'

type AppointmentDialogProps = {
  /** Null when none is open. */
  appointment: AppointmentRow | null
  onClose: () => void
}

/** A dialog with everything about one appointment. */
export function AppointmentDialog({ appointment, onClose }: AppointmentDialogProps) {
  // Keeps the content while the dialog closes.
  const [shown, setShown] = useState(appointment)
  if (appointment !== null && appointment !== shown) setShown(appointment)
  return (
    <Dialog open={appointment !== null} onOpenChange={(open) => !open && onClose()} title="Appointment">
      {shown !== null && (
        <div className="@container -my-5">
          <AppointmentItem appointment={shown} />
        </div>
      )}
    </Dialog>
  )
}
