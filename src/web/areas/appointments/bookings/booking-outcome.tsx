import { type ReactNode, useEffect, useRef } from 'react'
import { withEmbedParam } from '#web/shared/embedding.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CircleCheck } from '#web/ui/icons/circle-check.ts'

type BookingOutcomeProps = {
  heading: string
  /** The path of the booking page, to which the button "book again" leads. */
  bookingPath: string
  /** True to focus the heading, so that screen readers announce the new content. */
  takesFocus?: boolean | undefined
  /** Buttons that replace the default ones (book again, return to the dashboard). */
  actions?: ReactNode
  children: ReactNode
}

/** The page after a booking or payment: shows the result, and buttons for the next step. Source: rule W10. */
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
        {heading === CONFIRMED_HEADING && (
          <CircleCheck aria-hidden="true" className="size-9 shrink-0 text-success" />
        )}
        <h1 ref={title} tabIndex={-1} className="rounded-sm text-3xl sm:text-4xl">
          {heading}
        </h1>
      </div>
      {children}
      <div className="flex flex-wrap gap-3 print:hidden">
        {actions ?? (
          <>
            <Button
              variant={heading === CONFIRMED_HEADING ? 'secondary' : 'primary'}
              onClick={() => location.assign(withEmbedParam(bookingPath))}
            >
              Make Another Booking
            </Button>
            <ButtonLink href={paths.home()}>Return to Dashboard</ButtonLink>
          </>
        )}
      </div>
    </section>
  )
}

export const CONFIRMED_HEADING = 'Booking Confirmed!'
