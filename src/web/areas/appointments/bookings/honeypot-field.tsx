import type { Ref } from 'react'
import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'

/** A honeypot field. People cannot see it or reach it with the Tab key, but spam bots fill it in because of its name. */
export function HoneypotField({ ref }: { ref: Ref<HTMLInputElement> }) {
  return (
    <div aria-hidden="true" className="sr-only">
      <label>
        Website
        <input
          ref={ref}
          name="website"
          tabIndex={-1}
          autoComplete="off"
          maxLength={BOOKING_LIMITS.hiddenField}
        />
      </label>
    </div>
  )
}
