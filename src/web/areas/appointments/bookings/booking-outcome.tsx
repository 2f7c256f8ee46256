import { type ReactNode, useEffect, useRef } from 'react'
import { keepEmbedded } from '#web/shared/keep-embedded.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CircleCheck } from '#web/ui/icons/circle-check.ts'

type BookingOutcomeProps = {
  heading: string
  /** Where the next booking is made. */
  bookingPath: string
  /** The page has just changed: the heading takes the focus and is read. */
  takesFocus?: boolean | undefined
  /** Where to go from here, when it is not to another booking. */
  actions?: ReactNode
  children: ReactNode
}

/** The state after a booking: what happened, and where to go from here. Source: rule W10. */
export function BookingOutcome({
  heading,
  bookingPath,
  takesFocus = false,
  actions,
  children,
}: BookingOutcomeProps) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${heading} · Meridian`
    if (takesFocus) title.current?.focus()
  }, [heading, takesFocus])
  return (
    <section className="grid gap-6 rounded-card border border-line bg-surface p-5 shadow-card sm:p-8">
      <div className="flex items-center gap-3">
        {heading === CONFIRMED && <CircleCheck aria-hidden="true" className="size-9 shrink-0 text-success" />}
        <h1 ref={title} tabIndex={-1} className="rounded-sm text-3xl sm:text-4xl">
          {heading}
        </h1>
      </div>
      {children}
      <div className="flex flex-wrap gap-3 print:hidden">
        {actions ?? (
          <>
            <Button variant="primary" onClick={() => location.assign(keepEmbedded(bookingPath))}>
              Make Another Booking
            </Button>
            <ButtonLink href={paths.home()}>Return to Dashboard</ButtonLink>
          </>
        )}
      </div>
    </section>
  )
}

export const CONFIRMED = 'Booking Confirmed!'
