import type { Ref } from 'react'
import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'

/** A field that no person sees or reaches. Only a program fills it in, because its name attracts programs. */
export function HiddenField({ ref }: { ref: Ref<HTMLInputElement> }) {
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
