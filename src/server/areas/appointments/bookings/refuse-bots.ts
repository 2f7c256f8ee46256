import type { z } from 'zod'
import type { createBookingBody } from '#contract/bookings.ts'
import { isFilledByBot } from '#core/booking/form-signs.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

/**
 * Refuses what a program has filled in. Before anything is asked of the database: there may be many. Source: rule B20.
 * @throws ProblemError `booking.looks_automatic`
 */
export function refuseBots({
  website,
  form_open_ms,
}: Pick<z.output<typeof createBookingBody>, 'website' | 'form_open_ms'>): void {
  const signs = { hiddenField: website ?? null, openMs: form_open_ms ?? null }
  if (isFilledByBot(signs)) throw new ProblemError('booking.looks_automatic')
}
