import { useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { AppointmentItem } from './appointment-item.tsx'

type AppointmentDialogProps = {
  /** The appointment to show; null while the dialog is closed. */
  appointment: AppointmentRow | null
  onClose: () => void
}

/** A dialog that shows all details of an appointment. */
export function AppointmentDialog({ appointment, onClose }: AppointmentDialogProps) {
  // The shown appointment. Not cleared on closing, so that the content stays during the closing animation.
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
