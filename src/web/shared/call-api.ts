import type { z } from 'zod'
import type { OperationsByAddress } from '#contract/operations/operations.ts'
import { exchange } from './api-client.ts'

/** How long the browser waits for an answer before it reports no connection. */
const TIMEOUT_MS = 20_000

/** The address of an operation: a constant of `#contract/operations/addresses.ts`. */
export type Address = keyof OperationsByAddress

/** What a part of a request may be; `undefined` where the operation takes nothing there. */
type Part<At extends Address, Name extends 'params' | 'query' | 'headers' | 'body'> =
  OperationsByAddress[At] extends Record<Name, infer Schema extends z.ZodType> ? z.input<Schema> : undefined

/** The query, in which null stands for what is left out. */
type Query<At extends Address> =
  Part<At, 'query'> extends infer Asked extends object
    ? { readonly [Name in keyof Asked]: Asked[Name] | null }
    : undefined

/** A part that is needed has to be given, one in which everything is optional may be, and one that is not taken may not. */
type Given<Name extends string, Value> = Value extends undefined
  ? { readonly [_ in Name]?: never }
  : Record<string, never> extends Value
    ? { readonly [_ in Name]?: Value }
    : { readonly [_ in Name]: Value }

/** Where an operation is asked for: the values within its path, and its query. */
type Target<At extends Address> = Given<'params', Part<At, 'params'>> & Given<'query', Query<At>>

type Call<At extends Address> = Target<At> &
  Given<'headers', Part<At, 'headers'>> &
  Given<'body', Part<At, 'body'>> & { readonly signal?: AbortSignal }

/** The last argument, which may be left out where nothing in it is needed. */
type Last<Value> = Record<string, never> extends Value ? [value?: Value] : [value: Value]

type AnswerSchema<At extends Address> = OperationsByAddress[At]['answers'] extends infer Answers
  ? Answers[keyof Answers]
  : never

/** What an operation answers with as JSON; `undefined` when its answer has no body. */
export type Answer<At extends Address> =
  AnswerSchema<At> extends infer Schema extends z.ZodType ? z.output<Schema> : never

/** Asks for an operation. @throws ApiProblem */
export function callApi<const At extends Address>(
  address: At,
  ...[call]: Last<Call<At>>
): Promise<Answer<At>> {
  return exchange({
    ...toRequest(address, call),
    timeoutMs: TIMEOUT_MS,
    // The server validates what it sends against the same schemas; the browser trusts its own server.
    read: async (response) => (response.status === 204 ? undefined : await response.json()) as Answer<At>,
  })
}

/** Asks for an operation that answers with a file, and gets it as a whole. @throws ApiProblem */
export function callForFile<const At extends Address>(address: At, call: Call<At>): Promise<Blob> {
  return exchange({
    ...toRequest(address, call),
    timeoutMs: null,
    read: (response) => response.blob(),
  })
}

/** The path of an operation with its values, for what the browser fetches by itself: a link, a frame, a beacon. */
export function pathOf<const At extends Address>(address: At, ...[target]: Last<Target<At>>): string {
  return fillPath(address, target)
}

/** Any call, as it is sent: what its parts may be has been checked against the operation. */
type Parts = {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
  readonly signal?: AbortSignal
}

function toRequest(address: Address, { headers, body, signal, ...target }: Parts = {}) {
  const method = address.slice(0, address.indexOf(' '))
  const init =
    body === undefined
      ? { method, headers: toTexts(headers) }
      : {
          method,
          headers: { 'content-type': 'application/json', ...toTexts(headers) },
          body: JSON.stringify(body),
        }
  return { path: fillPath(address, target), init, signal }
}

function fillPath(address: Address, { params, query }: Parts = {}): string {
  const values = toTexts(params)
  const path = address
    .slice(address.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const asked = new URLSearchParams(toTexts(query))
  return asked.size === 0 ? path : `${path}?${asked}`
}

/** What is undefined or null is left out. */
function toTexts(part: unknown): Record<string, string> {
  const given = Object.entries(part ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
