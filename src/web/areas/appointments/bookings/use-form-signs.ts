import { createRef, useState } from 'react'
import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'
import type { CreateBookingBody } from '#contract/appointments/bookings.ts'

type Signs = Pick<CreateBookingBody, 'website' | 'form_open_ms'>

/** What the form tells the server about who fills it in, so that it can tell a person from a program. */
export function useFormSigns() {
  return useState(buildFormSigns)[0]
}

function buildFormSigns() {
  const hiddenField = createRef<HTMLInputElement>()
  let isRestored = false
  let last: Signs = {}
  return {
    hiddenField,
    /** Reads them now, or returns what it read before: a repeated request must be identical. */
    read(again: boolean): Signs {
      if (again) return last
      // The page can be written on from the moment it is shown, before any script runs.
      const openMs = Math.min(Math.round(performance.now()), BOOKING_LIMITS.formOpenMs)
      last = { website: hiddenField.current?.value || null, form_open_ms: isRestored ? null : openMs }
      return last
    },
    /** What was typed comes from an earlier visit, so how long this one takes says nothing. */
    ignoreTime() {
      isRestored = true
    },
    /** A password manager may have filled in the invisible field: pressing again continues. */
    clear() {
      if (hiddenField.current !== null) hiddenField.current.value = ''
    },
  }
}
