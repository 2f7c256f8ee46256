import { useRef } from 'react'
import { ApiProblem, sendJson } from './api-client.ts'

type Attempt = {
  readonly path: string
  readonly body: unknown
  readonly content: string
  readonly key: string
}

/**
 * Sends a booking to `path`. The same content sent again carries the same key, so that a booking whose answer was lost
 * is not made twice; other content gets a key of its own.
 *
 * When an answer was lost and the content was changed since, the open request is sent again first. If it was booked,
 * that is the booking, and nobody is told that their own time is taken, unless `keeps` decides that it is not wanted
 * any more, and undoes it. Source: rule X2.
 * @throws ApiProblem
 */
export function useBookingRequest<Body, Booked>(
  keeps: (earlier: Booked) => Promise<boolean> | boolean = () => true,
): (path: string, body: Body) => Promise<Booked> {
  const last = useRef<Attempt | null>(null)
  const open = useRef<Attempt | null>(null)

  const send = async (attempt: Attempt) => {
    last.current = attempt
    open.current = attempt
    try {
      const headers = { 'Idempotency-Key': attempt.key }
      const booked = await sendJson<Booked>('POST', attempt.path, attempt.body, headers)
      open.current = null
      return booked
    } catch (error) {
      // A refusal is an answer, and so is a checkout that could not be made; silence and a fault of the server are not.
      if (error instanceof ApiProblem && (isRefusal(error) || error.code === 'payment.initiation_failed'))
        open.current = null
      throw error
    }
  }

  return async (path, body) => {
    const content = path + JSON.stringify(body)
    const unanswered = open.current
    if (unanswered !== null && unanswered.content !== content) {
      try {
        const earlier = await send(unanswered)
        if (await keeps(earlier)) return earlier
      } catch (error) {
        if (open.current !== null) throw error
      }
    }
    const key = last.current?.content === content ? last.current.key : crypto.randomUUID()
    return send({ path, body, content, key })
  }
}

function isRefusal({ status }: ApiProblem): boolean {
  return status > 0 && status < 500
}
