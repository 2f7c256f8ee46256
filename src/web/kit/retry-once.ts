import { ApiProblem } from '#web/shared/api-client.ts'

/** Retries once, except after a 4xx refusal, which the server would only repeat. Source: rule C11. */
export function retryOnce(failures: number, error: Error): boolean {
  const refused = error instanceof ApiProblem && error.status >= 400 && error.status < 500
  return failures < 1 && !refused
}
