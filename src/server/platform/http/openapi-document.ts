import { STATUS_CODES } from 'node:http'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  groupProblemsByStatus,
  type OperationProblems,
  PROBLEMS_OF_ANY_REQUEST,
} from '#contract/operations/operation.ts'
import { problemSchema } from '#contract/shared/problem-schema.ts'
import packageJson from '../../../../package.json' with { type: 'json' }

/**
 * Options for generating `openapi.json` from the routes. Schemas with an id become components, and each refusal lists
 * its problem codes.
 */
export const OPENAPI_OPTIONS: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Meridian API',
      version: packageJson.version,
      description: 'Refusals are RFC 9457 problem details; `title` is the sentence to show.',
    },
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'meridian.session_token' } },
    },
  },
  transform(route) {
    const { schema, url } = jsonSchemaTransform(route)
    return { url, schema: isOperation(schema) ? describeOperation(schema) : schema }
  },
  transformObject(document) {
    const whole = jsonSchemaTransformObject(document)
    const { paths, components } = whole as OpenApiDocument // The value is the document that was just assembled.
    const shared = extractSharedComponents(paths)
    const schemas = listUsed({ paths, shared }, components.schemas)
    return removeRedundantRules(Object.assign(whole, { components: { ...components, ...shared, schemas } }))
  },
}

/**
 * Removes rules that the library adds without need: the bounds of safe integers, and the pattern of ids, whose format says
 * the same in fewer bytes.
 */
function removeRedundantRules<Document extends object>(document: Document): Document {
  const isBound = (value: unknown) => typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER
  const simplify = (_key: string, value: unknown) => {
    if (isBound(value)) return undefined
    return isId(value) ? { ...value, pattern: undefined } : value
  }
  return JSON.parse(JSON.stringify(document, simplify))
}

function isId(value: unknown): value is { readonly format: 'uuid' } {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === 'uuid'
}

/** The parts of the OpenAPI document that are post-processed here. */
type OpenApiDocument = {
  readonly paths: object
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** Schema for the problems that any request can return with a status that the operation itself does not use. */
problemSchema.extend({ code: z.enum(PROBLEMS_OF_ANY_REQUEST) }).meta({ id: 'GeneralProblem' })

const PROBLEM = { $ref: '#/components/schemas/Problem' }
const GENERAL_PROBLEM = { $ref: '#/components/schemas/GeneralProblem' }

function isOperation(schema: FastifySchema | undefined): schema is FastifySchema & OperationProblems {
  return schema !== undefined && 'problems' in schema
}

function describeOperation(schema: FastifySchema & OperationProblems): FastifySchema {
  const { problems, forOwners, ...rest } = schema
  const answers = Object.entries(rest.response ?? {}).map(([status, answer]) => [
    status,
    describeAnswer(STATUS_CODES[status], answer),
  ])
  const refusals = [...groupProblemsByStatus({ problems, forOwners })].map(([status, codes]) => [
    status,
    asProblem(STATUS_CODES[status], { allOf: [PROBLEM, { properties: { code: { enum: codes } } }] }),
  ])
  return {
    ...rest,
    ...(forOwners ? { security: [{ session: [] }] } : {}),
    response: {
      ...Object.fromEntries([...answers, ...refusals]),
      default: asProblem('What any request may be refused with', GENERAL_PROBLEM),
    },
  }
}

/**
 * Describes a response. `answer` is a JSON schema, or the content of another media type, which is returned unchanged;
 * type `null` means that the response has no content.
 */
function describeAnswer(
  description: string | undefined,
  answer: { type?: string; content?: object },
): object {
  if (answer.content !== undefined || answer.type === 'null') return { description, ...answer }
  return { description, content: { 'application/json': { schema: answer } } }
}

function asProblem(description: string | undefined, schema: object): object {
  return { description, content: { 'application/problem+json': { schema } } }
}

/**
 * Returns only the components that the document references: the library emits each schema twice, for input and for
 * output.
 */
function listUsed(document: object, schemas: Readonly<Record<string, object>>): Record<string, object> {
  const used = new Set<string>()
  const collect = (part: object): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      collect(schemas[name] ?? {})
    }
  }
  collect(document)
  return Object.fromEntries([...used].sort().map((name) => [name, schemas[name] ?? {}]))
}

/** An operation of an OpenAPI document: the parts that can repeat those of other operations. */
type Described = { parameters?: object[]; responses: Record<string, object> }
type Shared = Readonly<Record<'parameters' | 'responses', Readonly<Record<string, object>>>>

type Parameter = { readonly in?: string; readonly name?: string }
type Refusal = {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly allOf?: readonly Codes[] } }>>
}
type Codes = { readonly properties?: { readonly code?: { readonly enum?: readonly string[] } } }

/**
 * Shrinks the OpenAPI document: each parameter and refusal used by several operations becomes a component that the
 * operations reference. Modifies `paths`. Successful responses stay inline, because their schemas are already
 * components. Source: OpenAPI 3.1 §4.8.7.
 * @returns the components by name
 */
function extractSharedComponents(paths: object): Shared {
  const operations = Object.values(paths).flatMap((methods: object) => Object.values(methods) as Described[])
  const parameters = buildStore('parameters', nameParameter)
  const responses = buildStore('responses', nameRefusal)
  for (const { parameters: listed = [], responses: answers } of operations) {
    for (const one of listed) parameters.count(one)
    for (const one of Object.values(answers)) responses.count(one)
  }
  for (const operation of operations) {
    if (operation.parameters !== undefined) operation.parameters = operation.parameters.map(parameters.share)
    for (const [status, answer] of Object.entries(operation.responses))
      operation.responses[status] = responses.share(answer)
  }
  return { parameters: parameters.shared, responses: responses.shared }
}

/**
 * Counts the parts of one kind, and then extracts those that occur more than once. Parts for which `nameOf` returns
 * null stay inline.
 */
function buildStore(kind: keyof Shared, nameOf: (part: object) => string | null) {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  const shared: Record<string, object> = {}
  const toName = (text: string, wanted: string): string => {
    const known = names.get(text)
    if (known !== undefined) return known
    const taken = [...names.values()].filter((name) => name.replace(/\d+$/, '') === wanted).length
    const name = taken === 0 ? wanted : `${wanted}${taken + 1}`
    names.set(text, name)
    return name
  }
  return {
    shared,
    count(part: object): void {
      const text = JSON.stringify(part)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    },
    share(part: object): object {
      const text = JSON.stringify(part)
      const wanted = nameOf(part)
      if (wanted === null || (counts.get(text) ?? 0) < 2) return part
      const name = toName(text, wanted)
      shared[name] = part
      return { $ref: `#/components/${kind}/${name}` }
    },
  }
}

/** Names a parameter by location and name, such as `PathId` and `QueryPage`. */
function nameParameter(part: object): string {
  const { in: place = '', name = '' }: Parameter = part
  return toPascal(`${place}_${name}`)
}

/** Names a refusal by its first code, such as `RefusedCalendarNotFound`; returns null for other responses. */
function nameRefusal(part: object): string | null {
  const problem = (part as Refusal).content?.['application/problem+json']
  if (problem === undefined) return null
  const [code] = problem.schema?.allOf?.flatMap(({ properties }) => properties?.code?.enum ?? []) ?? []
  return toPascal(`refused_${code ?? 'generally'}`)
}

function toPascal(text: string): string {
  return text.replace(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase())
}
