import type { FieldError, Problem, ProblemCode } from '#contract/problem.ts'

/** How long the browser waits for an answer before it reports no connection. */
const TIMEOUT_MS = 20_000

export const OFFLINE = 'You appear to be offline. Please check your connection and try again.'
const UNEXPECTED = 'Something went wrong. Please try again.'

/** A refusal by the server, or `network` when there was no answer at all. `message` is the sentence to show. */
export class ApiProblem extends Error {
  readonly code: ProblemCode | 'network'
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  readonly errors: readonly FieldError[]

  constructor(problem: Pick<Problem, 'title' | 'status' | 'errors'> & { code: ProblemCode | 'network' }) {
    super(problem.title)
    this.name = 'ApiProblem'
    this.code = problem.code
    this.status = problem.status
    this.errors = problem.errors ?? []
  }
}

/** Reads a resource. @throws ApiProblem */
export function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return request<T>(path, { method: 'GET' }, signal)
}

/** Sends a command; resolves to undefined when the answer has no body (204). @throws ApiProblem */
export function sendJson<T>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  if (body === undefined) return request<T>(path, { method, headers })
  return request<T>(path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

async function request<T>(path: string, init: RequestInit, signal?: AbortSignal): Promise<T> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(path, {
      ...init,
      credentials: 'same-origin',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    if (!response.ok) throw await toProblem(response)
    // The server validates what it sends against the same schemas; the browser trusts its own server.
    return (response.status === 204 ? undefined : await response.json()) as T
  } catch (error) {
    if (error instanceof ApiProblem || signal?.aborted) throw error
    throw new ApiProblem({ code: 'network', status: 0, title: OFFLINE })
  }
}

/** What is not problem+json (a proxy's error page) becomes the general sentence. */
export async function toProblem(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null)
  if (isProblem(body)) return new ApiProblem(body)
  const code = response.status === 503 ? 'server.unavailable' : 'server.unexpected'
  return new ApiProblem({ code, status: response.status, title: UNEXPECTED })
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'title' in body
}
