import { useRef } from 'react'
import type { CreateBookingBody, CreateBookingResponse } from '#contract/bookings.ts'
import { sendJson } from '#web/shared/api-client.ts'

/**
 * Sends a booking. The same content sent again carries the same key, so that a booking whose answer was lost on the
 * way is not made twice; other content gets a key of its own.
 *
 * @throws ApiProblem
 */
export function useBookingRequest(slug: string): (body: CreateBookingBody) => Promise<CreateBookingResponse> {
  const attempt = useRef({ content: '', key: '' })
  return (body) => {
    const content = JSON.stringify(body)
    if (attempt.current.content !== content) attempt.current = { content, key: crypto.randomUUID() }
    return sendJson<CreateBookingResponse>(
      'POST',
      `/api/public/calendars/${encodeURIComponent(slug)}/appointments`,
      body,
      { 'Idempotency-Key': attempt.current.key },
    )
  }
}
