import type { z } from 'zod'
import type { createBookingBody } from '#contract/appointments/bookings.ts'
import { isFilledByBot } from '#core/appointments/bot-signals.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

/**
 * Refuses a form that a bot has filled in. This runs before any database query, because bots may send many requests.
 * Source: rule B20.
 * @throws ProblemError `booking.looks_automatic`
 */
export function refuseBots({
  website,
  form_open_ms,
}: Pick<z.output<typeof createBookingBody>, 'website' | 'form_open_ms'>): void {
  const signs = { hiddenField: website ?? null, openMs: form_open_ms ?? null }
  if (isFilledByBot(signs)) throw new ProblemError('booking.looks_automatic')
}
