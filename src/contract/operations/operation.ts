import type { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A response in a media type other than JSON. */
type OtherContent = {
  readonly description?: string
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>
}

/** The public description of an operation. The route, `openapi.json` and the browser's request are derived from it. */
export type Operation = {
  /** The method and path, from `addresses.ts`. */
  readonly address: `${Method} /api/${string}`
  readonly summary: string
  readonly tag: string
  /** True when the operation requires an owner's session. */
  readonly forOwners?: true
  readonly params?: z.ZodObject
  readonly query?: z.ZodType
  readonly headers?: z.ZodType
  readonly body?: z.ZodType
  /** The successful responses by HTTP status. 303 redirects the browser; 304 means that the browser's copy is current. */
  readonly answers: Partial<Readonly<Record<200 | 201 | 202 | 204 | 303 | 304, z.ZodType | OtherContent>>>
  /** The operation's own refusals. `PROBLEMS_OF_ANY_REQUEST` lists those of every request. */
  readonly problems: readonly ProblemCode[]
}

/** Operations by their operation id in `openapi.json`. */
export type OperationTable = Readonly<Record<string, Operation>>

/** Adds the operation id to each operation, and keeps the exact types of the table. */
export function defineOperations<const Table extends OperationTable>(
  table: Table,
): { readonly [Name in keyof Table]: Table[Name] & { readonly operationId: Name } } {
  const named = Object.entries(table).map(([name, operation]) => [name, { ...operation, operationId: name }])
  return Object.fromEntries(named) // the same keys as the table
}

/** The refusals that any request can get, before it reaches the operation or because the server fails. */
export const PROBLEMS_OF_ANY_REQUEST = [
  'request.invalid',
  'request.too_large',
  'request.not_json',
  'request.cross_site',
  'request.proxied',
  'request.too_many',
  'request.too_slow',
  'request.method_unknown',
  'request.expectation_unknown',
  'request.not_found',
  'host.unknown',
  'server.unavailable',
  'server.unexpected',
] as const satisfies readonly ProblemCode[]

export type OperationProblems = Pick<Operation, 'problems'> & { readonly forOwners?: true | undefined }

/** Groups an operation's refusals by HTTP status, together with the general refusals of the same status. */
export function groupProblemsByStatus({
  forOwners,
  problems,
}: OperationProblems): ReadonlyMap<number, readonly ProblemCode[]> {
  const own: readonly ProblemCode[] = forOwners ? ['auth.required', ...problems] : problems
  const statuses = new Set(own.map((code) => PROBLEMS[code].status))
  const codes = [...new Set([...own, ...PROBLEMS_OF_ANY_REQUEST])]
  return new Map(
    [...statuses].map((status) => [status, codes.filter((code) => PROBLEMS[code].status === status)]),
  )
}
