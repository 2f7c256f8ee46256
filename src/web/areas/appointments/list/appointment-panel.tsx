import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { X } from '#web/ui/icons/x.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { AppointmentDetails } from './appointment-details.tsx'

type AppointmentPanelProps = {
  /** The opened appointment; null while it loads, and when it could not be loaded. */
  appointment: AppointmentRow | null
  error: Error | null
  onRetry: () => void
  onClose: () => void
}

type PanelBesideProps = AppointmentPanelProps & {
  id: string
  /** True to focus the panel once its appointment is there. */
  takesFocus: boolean
  onFocused: () => void
  /** Handles arrow keys while the panel's heading has the focus. */
  onHeadingKeyDown: (event: KeyboardEvent) => void
}

/** The panel with everything about an appointment, beside the list. It stays in view while the list scrolls. */
export function AppointmentPanel(props: PanelBesideProps) {
  const { id, appointment, takesFocus, onFocused, onClose, onHeadingKeyDown } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const isLoaded = appointment !== null
  useEffect(() => {
    if (!takesFocus || !isLoaded) return
    heading.current?.focus({ preventScroll: true })
    onFocused()
  }, [takesFocus, isLoaded, onFocused])
  useEscape(onClose)
  const closeButton = (
    <button
      type="button"
      aria-label="Close"
      onClick={onClose}
      className="-me-2 -mt-1.5 grid size-9 shrink-0 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink touch:size-11"
    >
      <X aria-hidden="true" className="size-5" />
    </button>
  )
  return (
    <section
      id={id}
      aria-label="Appointment"
      onKeyDown={(event) => event.target === heading.current && onHeadingKeyDown(event)}
      className="@container sticky top-4 max-h-[calc(100dvh-2rem-var(--bottom-bar)-var(--strip))] w-[clamp(19rem,38%,23rem)] shrink-0 self-start overflow-y-auto ms-auto border-s border-line p-4 ps-5"
    >
      {appointment === null && <div className="flex justify-end">{closeButton}</div>}
      <PanelContent {...props} heading={heading} closeButton={closeButton} />
    </section>
  )
}

type AppointmentSheetProps = AppointmentPanelProps & { open: boolean }

/** A sheet with everything about an appointment, where the screen has no space for the panel. */
export function AppointmentSheet({ open, ...props }: AppointmentSheetProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { appointment, error } = props
  // The shown content. Not cleared on closing, so that it stays during the closing animation.
  const [shown, setShown] = useState({ appointment, error })
  if (open && (appointment !== shown.appointment || error !== shown.error)) setShown({ appointment, error })
  return (
    <Dialog open={open} onOpenChange={(next) => !next && props.onClose()} title="Appointment">
      <div className="@container">
        <PanelContent {...props} {...shown} heading={heading} />
      </div>
    </Dialog>
  )
}

type PanelContentProps = AppointmentPanelProps &
  Pick<Parameters<typeof AppointmentDetails>[0], 'heading' | 'closeButton'>

function PanelContent({ appointment, error, onRetry, heading, closeButton }: PanelContentProps) {
  if (appointment !== null) {
    return <AppointmentDetails appointment={appointment} heading={heading} closeButton={closeButton} />
  }
  if (error !== null) return <ErrorState title={error.message} onRetry={onRetry} />
  return (
    <p role="status" className="flex items-center gap-2 text-ink-soft">
      <Spinner /> Loading the appointment...
    </p>
  )
}

/** Popups that handle the Escape key themselves. */
const POPUPS = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** Closes the panel on Escape, unless the key belongs to a field or to a popup above the page. */
function useEscape(onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const isInField = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (event.key !== 'Escape' || isInField || document.querySelector(POPUPS) !== null) return
      close.current()
    }
    // In the capture phase, because a popup that the key closes is still there then.
    document.addEventListener('keydown', listen, { capture: true })
    return () => document.removeEventListener('keydown', listen, { capture: true })
  }, [])
}
