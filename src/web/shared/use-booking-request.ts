import { useRef } from 'react'
import { ApiProblem } from './api-client.ts'

/** Sends a booking with the key of its content. */
type Send<Booked> = (headers: { 'idempotency-key': string }) => Promise<Booked>

type Attempt<Booked> = {
  readonly send: Send<Booked>
  readonly content: string
  readonly key: string
}

/**
 * Sends a booking. The same content sent again carries the same key, so that a booking whose answer was lost on
 * the way is not made twice; other content gets a key of its own.
 *
 * When an answer was lost and the content was changed since, the open request is sent again first. If it was booked,
 * that is the booking, and nobody is told that their own time is taken, unless `keeps` decides that it is not wanted
 * any more, and undoes it. Source: rule X2.
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
      // A refusal is an answer, and so is a checkout that could not be made; silence and a fault of the server are not.
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
