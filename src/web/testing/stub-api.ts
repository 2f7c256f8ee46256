import { vi } from 'vitest'
import { type FieldError, PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'

export type SentRequest = { method: string; path: string; search: URLSearchParams; body: unknown }
type Answer = unknown | ((request: SentRequest) => unknown)

/**
 * Stubs `fetch`. Responds to each `METHOD /path` with JSON, a `Response`, or the result of a function. Records the requests in
 * order. A request without a defined response fails like a lost connection.
 */
export function stubApi(answers: Record<string, Answer>): {
  sent: SentRequest[]
  /** Returns the requests to this `METHOD /path`. */
  to: (key: string) => SentRequest[]
  /** Sets the response to this `METHOD /path` from now on. */
  answer: (key: string, answer: Answer) => void
} {
  const known = new Map(Object.entries(answers))
  const sent: SentRequest[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const url = new URL(path, 'http://localhost')
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const request = { method: init.method ?? 'GET', path: url.pathname, search: url.searchParams, body }
    sent.push(request)
    const key = `${request.method} ${request.path}`
    if (!known.has(key)) throw new TypeError(`the test has no answer to ${key}`)
    const answer = known.get(key)
    const result = typeof answer === 'function' ? await answer(request) : answer
    if (result instanceof Response) return result.clone()
    return result === undefined ? new Response(null, { status: 204 }) : Response.json(result)
  })
  return {
    sent,
    to: (key) => sent.filter((request) => `${request.method} ${request.path}` === key),
    answer: (key, answer) => known.set(key, answer),
  }
}

/** Makes an error response with a problem code of the contract. */
export function errorResponse(code: ProblemCode, errors?: FieldError[]): Response {
  const { status, title } = PROBLEMS[code]
  return new Response(JSON.stringify({ type: `/docs/problems#${code}`, title, status, code, errors }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })
}

/** Makes a response that is held back until `release` is called. */
export function heldResponse(answer: unknown): { answer: () => Promise<unknown>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  return { answer: () => promise, release: () => resolve(answer) }
}
