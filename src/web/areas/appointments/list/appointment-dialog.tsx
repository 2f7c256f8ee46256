import { useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { AppointmentItem } from './appointment-item.tsx'

type AppointmentDialogProps = {
  /** Null when none is open. */
  appointment: AppointmentRow | null
  onClose: () => void
}

/** Everything about one appointment, as its row in the list has it. */
export function AppointmentDialog({ appointment, onClose }: AppointmentDialogProps) {
  // While the dialog closes it keeps its content.
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
