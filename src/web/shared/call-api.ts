import type { z } from 'zod'
import type { OperationsByAddress } from '#contract/operations/operations.ts'
import { sendRequest } from './api-client.ts'

/** How long to wait for a response before the browser counts as offline, in ms. */
const TIMEOUT_MS = 20_000

/** The address of an operation: a constant of `#contract/operations/addresses.ts`. */
export type OperationAddress = keyof OperationsByAddress

/** The type of one part of a request; `undefined` if the operation does not have that part. */
type Part<At extends OperationAddress, Name extends 'params' | 'query' | 'headers' | 'body'> =
  OperationsByAddress[At] extends Record<Name, infer Schema extends z.ZodType> ? z.input<Schema> : undefined

/** The type of the query parameters. A parameter that is null is left out of the URL. */
type Query<At extends OperationAddress> =
  Part<At, 'query'> extends infer Asked extends object
    ? { readonly [Name in keyof Asked]: Asked[Name] | null }
    : undefined

/** A property that is required, optional (if all its members are optional), or forbidden (if the operation does not have it). */
type Given<Name extends string, Value> = Value extends undefined
  ? { readonly [_ in Name]?: never }
  : Record<string, never> extends Value
    ? { readonly [_ in Name]?: Value }
    : { readonly [_ in Name]: Value }

/** The path parameters and the query of an operation. */
type Target<At extends OperationAddress> = Given<'params', Part<At, 'params'>> & Given<'query', Query<At>>

type Call<At extends OperationAddress> = Target<At> &
  Given<'headers', Part<At, 'headers'>> &
  Given<'body', Part<At, 'body'>> & { readonly signal?: AbortSignal }

/** The type of the last argument, which is optional if none of its members is required. */
type Last<Value> = Record<string, never> extends Value ? [value?: Value] : [value: Value]

type AnswerSchema<At extends OperationAddress> = OperationsByAddress[At]['answers'] extends infer Answers
  ? Answers[keyof Answers]
  : never

/** The JSON response of an operation; `undefined` if the response has no body. */
export type ResponseOf<At extends OperationAddress> =
  AnswerSchema<At> extends infer Schema extends z.ZodType ? z.output<Schema> : never

/** Calls an operation of the API. @throws ApiProblem */
export function callApi<const At extends OperationAddress>(
  address: At,
  ...[call]: Last<Call<At>>
): Promise<ResponseOf<At>> {
  return sendRequest({
    ...toRequest(address, call),
    timeoutMs: TIMEOUT_MS,
    // The response is not validated again: the server has validated it against the same schemas, and the browser trusts its own
    // server.
    read: async (response) => (response.status === 204 ? undefined : await response.json()) as ResponseOf<At>,
  })
}

/** Calls an operation that responds with a file, and returns the whole file. @throws ApiProblem */
export function callApiForFile<const At extends OperationAddress>(
  address: At,
  call: Call<At>,
): Promise<Blob> {
  return sendRequest({
    ...toRequest(address, call),
    timeoutMs: null,
    read: (response) => response.blob(),
  })
}

/** Returns the URL path of an operation, for links, frames and beacons. */
export function apiPath<const At extends OperationAddress>(
  address: At,
  ...[target]: Last<Target<At>>
): string {
  return fillPath(address, target)
}

/** The parts of a request without their types, which `callApi` has checked. */
type Parts = {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
  readonly signal?: AbortSignal
}

function toRequest(address: OperationAddress, { headers, body, signal, ...target }: Parts = {}) {
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

function fillPath(address: OperationAddress, { params, query }: Parts = {}): string {
  const values = toTexts(params)
  const path = address
    .slice(address.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const asked = new URLSearchParams(toTexts(query))
  return asked.size === 0 ? path : `${path}?${asked}`
}

/** Converts the values of an object to strings, leaving out undefined and null. */
function toTexts(part: unknown): Record<string, string> {
  const given = Object.entries(part ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
