import { type Operation, PROBLEMS_OF_ANY_REQUEST } from '#contract/operations/operation.ts'
import { OPERATIONS } from '#contract/operations/operations.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'

const operations = new Map<string, Operation>(
  Object.values(OPERATIONS).map((operation) => [operation.address, operation]),
)

type Line = { msg?: string; method?: string; route?: string; problem?: ProblemCode }

/**
 * Lists the logged refusals that their operation does not declare, as `address code`. Add each of them to its operation's table.
 */
export function listUndeclaredProblems(logLines: readonly string[]): string[] {
  const undeclared = logLines
    .filter((line) => line.includes('"problem":'))
    .map((line): Line => JSON.parse(line))
    .filter((line) => line.msg === 'request' && !isDeclared(line))
  return [...new Set(undeclared.map(({ method, route, problem }) => `${method} ${route} ${problem}`))]
}

function isDeclared({ method, route, problem }: Line): boolean {
  const operation = operations.get(`${method} ${route}`)
  // Skips refusals before an operation was found, and pages, which are not operations.
  if (problem === undefined || operation === undefined) return true
  const { forOwners, problems } = operation
  const declared: readonly ProblemCode[] = [...PROBLEMS_OF_ANY_REQUEST, ...problems]
  return declared.includes(problem) || (forOwners === true && problem === 'auth.required')
}
