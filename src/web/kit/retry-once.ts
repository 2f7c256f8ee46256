import { ApiProblem } from '#web/shared/api-client.ts'

/** One retry, but not after a refusal: the server would only repeat it. Source: rule C11. */
export function retryOnce(failures: number, error: Error): boolean {
  const refused = error instanceof ApiProblem && error.status >= 400 && error.status < 500
  return failures < 1 && !refused
}
