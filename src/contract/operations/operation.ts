import type { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An answer that is not JSON, by its media type. */
type OtherContent = {
  readonly description?: string
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>
}

/** All there is to know of an operation from outside: the route, the document and the browser's call come from it. */
export type Operation = {
  /** Its method and path, one of `addresses.ts`. */
  readonly address: `${Method} /api/${string}`
  readonly summary: string
  readonly tag: string
  /** It needs the session of an owner. */
  readonly forOwners?: true
  readonly params?: z.ZodObject
  readonly query?: z.ZodType
  readonly headers?: z.ZodType
  readonly body?: z.ZodType
  /** What it answers with when it has done what was asked, by HTTP status. 303 leads a browser on, 304 says that it has the answer already. */
  readonly answers: Partial<Readonly<Record<200 | 201 | 202 | 204 | 303 | 304, z.ZodType | OtherContent>>>
  /** Its own refusals. What any request may be refused with is in `GENERAL_PROBLEMS`. */
  readonly problems: readonly ProblemCode[]
}

/** Operations by the name that the document gives them. */
export type OperationTable = Readonly<Record<string, Operation>>

/** Keeps the exact types of a table of operations, and tells each operation its name. */
export function defineOperations<const Table extends OperationTable>(
  table: Table,
): { readonly [Name in keyof Table]: Table[Name] & { readonly operationId: Name } } {
  const named = Object.entries(table).map(([name, operation]) => [name, { ...operation, operationId: name }])
  return Object.fromEntries(named) // the same keys as the table
}

/** Refusals of whatever is sent, to any operation: by the server before the operation, or because it is out of order. */
export const GENERAL_PROBLEMS = [
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

export type DocumentedProblems = Pick<Operation, 'problems'> & { readonly forOwners?: true | undefined }

/** The refusals of an operation by their HTTP status, with the general ones of the same status. */
export function groupProblems({
  forOwners,
  problems,
}: DocumentedProblems): ReadonlyMap<number, readonly ProblemCode[]> {
  const own: readonly ProblemCode[] = forOwners ? ['auth.required', ...problems] : problems
  const statuses = new Set(own.map((code) => PROBLEMS[code].status))
  const codes = [...new Set([...own, ...GENERAL_PROBLEMS])]
  return new Map(
    [...statuses].map((status) => [status, codes.filter((code) => PROBLEMS[code].status === status)]),
  )
}
