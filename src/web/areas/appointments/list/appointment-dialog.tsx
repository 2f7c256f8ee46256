import { useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { AppointmentItem } from './appointment-item.tsx'
import { isSeat } from './group-sessions.ts'
import { SessionContent } from './session-content.tsx'

type AppointmentDialogProps = {
  /** The appointment to show; null while the dialog is closed. */
  appointment: AppointmentRow | null
  onClose: () => void
}

/** A dialog that shows all details of an appointment, or the session in which it takes a seat. */
export function AppointmentDialog({ appointment, onClose }: AppointmentDialogProps) {
  // The shown appointment. Not cleared on closing, so that the content stays during the closing animation.
  const [shown, setShown] = useState(appointment)
  // A session stays open when the person through whom it was opened has been cancelled or moved.
  const [isSession, setSession] = useState(appointment !== null && isSeat(appointment))
  if (appointment !== null && appointment !== shown) {
    if (appointment.id !== shown?.id) setSession(isSeat(appointment))
    setShown(appointment)
  }
  return (
    <Dialog
      open={appointment !== null}
      onOpenChange={(open) => !open && onClose()}
      title={isSession ? 'Session' : 'Appointment'}
    >
      {shown !== null && (
        <div className="@container -my-5">
          {isSession ? <SessionContent appointment={shown} /> : <AppointmentItem appointment={shown} />}
        </div>
      )}
    </Dialog>
  )
}
