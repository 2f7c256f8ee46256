import { createRef, useState } from 'react'
import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'
import type { CreateBookingBody } from '#contract/appointments/bookings.ts'

type Signs = Pick<CreateBookingBody, 'website' | 'form_open_ms'>

/** Collects the signals by which the server detects spam bots: the honeypot field, and how long the form was open. */
export function useSpamSignals() {
  return useState(buildFormSigns)[0]
}

function buildFormSigns() {
  const hiddenField = createRef<HTMLInputElement>()
  let isRestored = false
  let last: Signs = {}
  return {
    hiddenField,
    /** Reads the signals. For a repeated request (`again`), returns the previous ones, because it must be identical. */
    read(again: boolean): Signs {
      if (again) return last
      // Measure from the page load, because the form can be used before any script runs.
      const openMs = Math.min(Math.round(performance.now()), BOOKING_LIMITS.formOpenMs)
      last = { website: hiddenField.current?.value || null, form_open_ms: isRestored ? null : openMs }
      return last
    },
    /** Leaves out how long the form was open. Called if the draft is from an earlier visit, so the duration is wrong. */
    ignoreTime() {
      isRestored = true
    },
    /** Clears the honeypot, so that submitting again works. A password manager may have filled it in. */
    clear() {
      if (hiddenField.current !== null) hiddenField.current.value = ''
    },
  }
}
