import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { Button } from '#web/ui/button.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { NewAppointmentDialog } from './new-appointment-dialog.tsx'
import { findNewAppointmentDraft } from './use-new-appointment.ts'

type NewAppointmentButtonProps = {
  /** At least one. */
  calendars: readonly Calendar[]
  /** The date of the calendar view, for the form's default. */
  shownDate?: string | null | undefined
  variant?: 'primary' | 'secondary' | undefined
}

/** The button that opens the booking dialog. */
export function NewAppointmentButton({
  calendars,
  shownDate = null,
  variant = 'primary',
}: NewAppointmentButtonProps) {
  const [open, setOpen] = useState(() => findNewAppointmentDraft(calendars) !== undefined)
  // The dialog is mounted when it is first opened, so that nothing is loaded before. Then it stays and keeps its text.
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
