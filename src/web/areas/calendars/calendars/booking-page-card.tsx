import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { ExternalLink } from '#web/ui/icons/external-link.ts'
import { Notice } from '#web/ui/notice.tsx'
import { useChangeBooking } from './use-change-booking.ts'

/**
 * Shows the address of the booking page, and lets the owner copy or open it. `children` are additional buttons. Source: rules W7
 * and Y2.
 */
export function BookingPageCard({ calendar, children }: { calendar: Calendar; children?: ReactNode }) {
  const headingId = useId()
  const section = useRef<HTMLElement>(null)
  const [isPressed, setPressed] = useState(false)
  // Focus another button, because the pressed one no longer exists.
  useEffect(() => {
    if (isPressed && calendar.takes_bookings) section.current?.querySelector('button')?.focus()
  }, [isPressed, calendar.takes_bookings])
  return (
    <div className="flex flex-col gap-3">
      {!calendar.takes_bookings && <NoBookingsNotice calendar={calendar} onPress={() => setPressed(true)} />}
      <section
        ref={section}
        aria-labelledby={headingId}
        className="flex flex-wrap items-center gap-x-2 rounded-card border border-line bg-surface py-1.5 ps-4 pe-1.5 shadow-card @2xl:gap-x-4 @2xl:ps-6"
      >
        <h2 id={headingId} className="shrink-0 text-lg font-semibold @max-2xl:sr-only">
          Booking Page
        </h2>
        <span
          className="min-w-16 flex-1 truncate text-ink-soft max-[17rem]:basis-full max-[17rem]:wrap-anywhere max-[17rem]:whitespace-normal"
          title={calendar.public_url}
        >
          {removeUrlScheme(calendar.public_url)}
        </span>
        <CopyButton text={calendar.public_url} label="Copy link" done="Copied to clipboard!">
          Copy link
        </CopyButton>
        {children}
        <ButtonLink variant="ghost" size="sm" href={calendar.public_url} target="_blank" rel="noopener">
          <ExternalLink aria-hidden="true" className="size-4" />
          <span className="@max-4xl:sr-only">View Booking Page</span>
        </ButtonLink>
      </section>
    </div>
  )
}

/** Tells the owner that customers cannot book, and changes that with one press. Source: rule C17. */
function NoBookingsNotice({ calendar, onPress }: { calendar: Calendar; onPress: () => void }) {
  const { mutate, isPending } = useChangeBooking(calendar)
  const action = (
    <Button
      variant="primary"
      size="sm"
      pending={isPending}
      pendingLabel="Turning on..."
      onClick={() => {
        onPress()
        mutate({ takes_bookings: true })
      }}
    >
      Take bookings
    </Button>
  )
  return (
    <Notice tone="warning" title="This calendar isn’t taking bookings" action={action}>
      Customers can book once you turn bookings on.
    </Notice>
  )
}

/** Removes the scheme from a URL: `example.org/book/dr-grey`. */
export function removeUrlScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
