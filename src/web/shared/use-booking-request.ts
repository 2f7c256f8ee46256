import { useRef } from 'react'
import { ApiProblem } from './api-client.ts'

/** Sends a booking request with its idempotency key. */
type Send<Booked> = (headers: { 'idempotency-key': string }) => Promise<Booked>

type Attempt<Booked> = {
  readonly send: Send<Booked>
  readonly content: string
  readonly key: string
}

/**
 * Sends booking requests idempotently. A request with the same content has the same idempotency key, so that a booking whose
 * response was lost is not made twice. Other content gets a new key.
 *
 * If a response was lost and the customer has changed the content since, the hook sends the earlier request again first. If that
 * request had succeeded, the hook returns its booking, so that customers do not read that their own time is taken. `keeps` can
 * instead undo the earlier booking and return false. Source: rule X2.
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
      // An error response and a failed checkout settle the request. A timeout and a server error do not, because the booking may
      // exist.
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
