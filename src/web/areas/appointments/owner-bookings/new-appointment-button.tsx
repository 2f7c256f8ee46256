import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { Button } from '#web/ui/button.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { NewAppointmentDialog } from './new-appointment-dialog.tsx'
import { findNewAppointmentDraft } from './use-new-appointment.ts'

type NewAppointmentButtonProps = {
  /** At least one. */
  calendars: readonly Calendar[]
  /** The day that is shown beside the button. */
  shownDate?: string | null | undefined
  variant?: 'primary' | 'secondary' | undefined
}

/** Opens the dialog that books for somebody. */
export function NewAppointmentButton({
  calendars,
  shownDate = null,
  variant = 'primary',
}: NewAppointmentButtonProps) {
  const [open, setOpen] = useState(() => findNewAppointmentDraft(calendars) !== undefined)
  // Nothing is requested before somebody wants to book. Afterwards the typed text stays.
  const [wasOpened, setWasOpened] = useState(open)
  return (
    <>
      <Button
        variant={variant}
        onClick={() => {
          setWasOpened(true)
          setOpen(true)
        }}
      >
        <Plus aria-hidden="true" className="size-5" />
        New appointment
      </Button>
      {wasOpened && <NewAppointmentDialog {...{ calendars, shownDate, open }} onOpenChange={setOpen} />}
    </>
  )
}
