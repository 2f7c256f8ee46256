import { createRef, useState } from 'react'
import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'
import type { CreateBookingBody } from '#contract/appointments/bookings.ts'

type Signs = Pick<CreateBookingBody, 'website' | 'form_open_ms'>

/** Signals by which the server tells people from spam bots: the honeypot field and the time until the form was sent. */
export function useSpamSignals() {
  return useState(buildFormSigns)[0]
}

function buildFormSigns() {
  const hiddenField = createRef<HTMLInputElement>()
  let isRestored = false
  let last: Signs = {}
  return {
    hiddenField,
    /** Reads the signals, or returns the last ones: a repeated request must be identical. */
    read(again: boolean): Signs {
      if (again) return last
      // Counted from the page load: the form can be used before any script runs.
      const openMs = Math.min(Math.round(performance.now()), BOOKING_LIMITS.formOpenMs)
      last = { website: hiddenField.current?.value || null, form_open_ms: isRestored ? null : openMs }
      return last
    },
    /** The draft is from an earlier visit, so the duration of this one says nothing. */
    ignoreTime() {
      isRestored = true
    },
    /** A password manager may have filled in the honeypot. After this, submitting again works. */
    clear() {
      if (hiddenField.current !== null) hiddenField.current.value = ''
    },
  }
}
