import type { FastifyInstance } from 'fastify'
import type { JsonSchema } from './json-schema-sample.ts'

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: JsonSchema
}
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  operationId: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}
type Components = Partial<{
  schemas: Record<string, JsonSchema>
  parameters: Record<string, object>
  responses: Record<string, object>
}>
export type Document = { operations: Operation[]; schemas: Record<string, JsonSchema> }

/** What the routes declare, written by the same library that serves /api/openapi.json, with its components put in. */
export function readDocument(app: FastifyInstance): Document {
  const document = app.swagger() as unknown as {
    paths: Record<string, Record<string, Operation>>
    components?: Components
  }
  const components = document.components ?? {}
  const { schemas = {} } = components
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...putIn(operation, components),
      method: method.toUpperCase() as Operation['method'], // below a path there are only methods
      path,
    })),
  )
  return { operations, schemas }
}

/** The same with every component in the place where it was referred to. No schema of ours refers to itself. */
function putIn<Part>(part: Part, components: Components): Part {
  const text = JSON.stringify(part, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value
    const [, , kind, name = ''] = String(value.$ref).split('/')
    return components[kind as keyof Components]?.[name]
  })
  return JSON.parse(text)
}
