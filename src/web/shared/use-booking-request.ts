import { useRef } from 'react'
import { ApiProblem, sendJson } from './api-client.ts'

type Attempt = {
  readonly path: string
  readonly body: unknown
  readonly content: string
  readonly key: string
}

/**
 * Sends a booking to `path`. The same content sent again carries the same key, so that a booking whose answer was lost on
 * the way is not made twice; other content gets a key of its own.
 *
 * When an answer was lost and the content was changed since, the open attempt is sent again first: if it was booked, that
 * is the booking, and nobody is told that their own time is taken.
 *
 * @throws ApiProblem
 */
export function useBookingRequest<Body, Booked>(): (path: string, body: Body) => Promise<Booked> {
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
      // A refusal is an answer; silence and a fault of the server are not.
      if (error instanceof ApiProblem && error.status > 0 && error.status < 500) open.current = null
      throw error
    }
  }

  return async (path, body) => {
    const content = path + JSON.stringify(body)
    const unanswered = open.current
    if (unanswered !== null && unanswered.content !== content) {
      try {
        return await send(unanswered)
      } catch (error) {
        if (open.current !== null) throw error
      }
    }
    const isSame = last.current?.content === content
    return send({ path, body, content, key: isSame && last.current ? last.current.key : crypto.randomUUID() })
  }
}
