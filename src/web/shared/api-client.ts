import type { FieldError, Problem, ProblemCode } from '#contract/shared/problem.ts'

const OFFLINE = 'You’re offline. Check your connection and try again.'
const UNEXPECTED = 'Something went wrong. Please try again.'

/** An error response of the server, or `network` if no response arrived. `message` is the text to show. */
export class ApiProblem extends Error {
  readonly code: ProblemCode | 'network'
  /** The HTTP status; 0 if no response arrived. */
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

type Exchange<Content> = {
  readonly path: string
  readonly init: RequestInit
  readonly signal: AbortSignal | undefined
  /** The timeout for the whole response, in ms; null for no timeout. */
  readonly timeoutMs: number | null
  readonly read: (response: Response) => Promise<Content>
}

/** Sends a request to our server and reads the response. @throws ApiProblem */
export async function sendRequest<Content>(wanted: Exchange<Content>): Promise<Content> {
  const { path, init, signal, timeoutMs, read } = wanted
  const timeout = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs)
  const signals = [signal, timeout].filter((each) => each !== undefined)
  try {
    const response = await fetch(path, {
      ...init,
      credentials: 'same-origin',
      signal: AbortSignal.any(signals),
    })
    if (!response.ok) throw await toProblem(response)
    return await read(response)
  } catch (error) {
    if (error instanceof ApiProblem || signal?.aborted) throw error
    throw new ApiProblem({ code: 'network', status: 0, title: OFFLINE })
  }
}

/**
 * Reads the problem of an error response. A response that is not problem+json, such as a proxy's error page, gets the generic
 * error message.
 */
async function toProblem(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null)
  if (isProblem(body)) return new ApiProblem(body)
  const code = response.status === 503 ? 'server.unavailable' : 'server.unexpected'
  return new ApiProblem({ code, status: response.status, title: UNEXPECTED })
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'title' in body
}
