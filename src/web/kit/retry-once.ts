import { ApiProblem } from '#web/shared/api-client.ts'

/** One retry (rule C11), but not after a refusal: the server would only say the same again. */
export function retryOnce(failures: number, error: Error): boolean {
  const refused = error instanceof ApiProblem && error.status >= 400 && error.status < 500
  return failures < 1 && !refused
}
