import { ApiProblem } from '#web/shared/api-client.ts'

/** Returns true for the first failure, except for a 4xx response, which a retry would only repeat. Source: rule C11. */
export function retryOnce(failures: number, error: Error): boolean {
  const refused = error instanceof ApiProblem && error.status >= 400 && error.status < 500
  return failures < 1 && !refused
}
