import { useRef } from 'react'
import { ApiProblem } from './api-client.ts'

/** Sends a booking with its idempotency key. */
type Send<Booked> = (headers: { 'idempotency-key': string }) => Promise<Booked>

type Attempt<Booked> = {
  readonly send: Send<Booked>
  readonly content: string
  readonly key: string
}

/**
 * Sends bookings idempotently. The same content has the same idempotency key, so that a booking whose answer was lost is not
 * made twice. Other content gets a new key.
 *
 * If an answer was lost and the customer has changed the content since, the earlier request is sent again first. If it was
 * booked, that booking is returned, so that customers do not read that their own time is taken. `keeps` can undo the
 * earlier booking instead, and return false. Source: rule X2.
 * @throws ApiProblem
 */
export function useBookingRequest<Booked>(
  keeps: (earlier: Booked) => Promise<boolean> | boolean = () => true,
): (sent: object, send: Send<Booked>) => Promise<Booked> {
  const last = useRef<Attempt<Booked> | null>(null)
  const open = useRef<Attempt<Booked> | null>(null)

  const attemptOnce = async (attempt: Attempt<Booked>) => {
    last.current = attempt
    open.current = attempt
    try {
      const booked = await attempt.send({ 'idempotency-key': attempt.key })
      open.current = null
      return booked
    } catch (error) {
      // A refusal and a failed checkout are answers. A timeout and a server error are not: the booking may exist.
      if (error instanceof ApiProblem && (isRefusal(error) || error.code === 'payment.initiation_failed'))
        open.current = null
      throw error
    }
  }

  return async (sent, send) => {
    const content = JSON.stringify(sent)
    const unanswered = open.current
    if (unanswered !== null && unanswered.content !== content) {
      try {
        const earlier = await attemptOnce(unanswered)
        if (await keeps(earlier)) return earlier
      } catch (error) {
        if (open.current !== null) throw error
      }
    }
    const key = last.current?.content === content ? last.current.key : crypto.randomUUID()
    return attemptOnce({ send, content, key })
  }
}

function isRefusal({ status }: ApiProblem): boolean {
  return status > 0 && status < 500
}
