import type { HTTPMethods } from 'fastify'
import type { Operation } from '#contract/operations/operation.ts'

/** An operation in Fastify's route format, without its handler. */
type ServedOperation<Served extends Operation> = {
  readonly method: HTTPMethods
  readonly url: string
  readonly schema: Pick<Served, Extract<keyof Served, 'params' | 'headers' | 'body'>> &
    (Served extends { readonly query: infer Query } ? { readonly querystring: Query } : unknown) & {
      readonly response: Served['answers']
    }
}

/** Builds the Fastify route of an operation from its path, inputs and responses. Only the handler is missing. */
export function toRoute<const Served extends Operation & { readonly operationId: string }>(
  operation: Served,
): ServedOperation<Served> {
  const { address, operationId, summary, tag, forOwners, problems } = operation
  const { params, query, headers, body, answers } = operation
  const [method, url] = address.split(' ')
  const schema = {
    operationId,
    summary,
    tags: [tag],
    problems,
    forOwners,
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(headers && { headers }),
    ...(body && { body }),
    response: answers,
  }
  // These are the parts of the operation under Fastify's names.
  return { method, url, schema } as unknown as ServedOperation<Served>
}
