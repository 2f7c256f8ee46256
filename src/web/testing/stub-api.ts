import { vi } from 'vitest'
import { type FieldError, PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'

export type SentRequest = { method: string; path: string; search: URLSearchParams; body: unknown }
type Answer = unknown | ((request: SentRequest) => unknown)

/**
 * Stubs `fetch`. Answers each `METHOD /path` with JSON, a `Response`, or the result of a function. Records the requests in
 * order. A request without an answer fails like a broken connection.
 */
export function stubApi(answers: Record<string, Answer>): {
  sent: SentRequest[]
  /** The requests with this `METHOD /path`. */
  to: (key: string) => SentRequest[]
  /** Sets the answer from now on. */
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

/** Makes an error response with a code of the catalogue. */
export function refuse(code: ProblemCode, errors?: FieldError[]): Response {
  const { status, title } = PROBLEMS[code]
  return new Response(JSON.stringify({ type: `/docs/problems#${code}`, title, status, code, errors }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })
}

/** Makes an answer that is sent when `release` is called. */
export function heldAnswer(answer: unknown): { answer: () => Promise<unknown>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  return { answer: () => promise, release: () => resolve(answer) }
}
