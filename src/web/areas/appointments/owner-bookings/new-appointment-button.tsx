import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { Button } from '#web/ui/button.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { NewAppointmentDialog } from './new-appointment-dialog.tsx'
import { findNewAppointmentDraft } from './use-new-appointment.ts'

type NewAppointmentButtonProps = {
  /** The calendars to book in: at least one. */
  calendars: readonly Calendar[]
  /** The date shown in the calendar view, which is the form's default date. */
  shownDate?: string | null | undefined
  /** The start of an empty slot on which the owner has pressed: opens the dialog with this time. Null for none. */
  pointedAt?: string | null | undefined
  /** Called when the dialog with that time has been closed. */
  onPointedClosed?: (() => void) | undefined
  variant?: 'primary' | 'secondary' | undefined
  /** True to show only the icon in narrow windows. */
  isBrief?: boolean
}

/** The button that opens the dialog for a new appointment. */
export function NewAppointmentButton({
  calendars,
  shownDate = null,
  pointedAt = null,
  onPointedClosed,
  variant = 'primary',
  isBrief = false,
}: NewAppointmentButtonProps) {
  const [open, setOpen] = useState(() => findNewAppointmentDraft(calendars) !== undefined)
  // Mount the dialog when it is first opened, so that nothing is loaded before. Then keep it mounted, so that it keeps
  // its input.
  const [wasOpened, setWasOpened] = useState(open)
  const isPointed = pointedAt !== null
  if (isPointed && !wasOpened) setWasOpened(true)
  const changeOpen = (next: boolean) => {
    setOpen(next)
    if (!next) onPointedClosed?.()
  }
  return (
    <>
      <Button
        variant={variant}
        className={isBrief ? 'max-sm:px-3' : undefined}
        onClick={() => {
          setWasOpened(true)
          setOpen(true)
        }}
      >
        <Plus aria-hidden="true" className="size-5" />
        <span className={isBrief ? 'max-sm:sr-only' : undefined}>New appointment</span>
      </Button>
      {wasOpened && (
        <NewAppointmentDialog
          {...{ calendars, shownDate, pointedAt }}
          open={open || isPointed}
          onOpenChange={changeOpen}
        />
      )}
    </>
  )
}
