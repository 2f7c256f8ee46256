import type { FastifyInstance } from 'fastify'
import type { JsonSchema } from './json-schema-sample.ts'

export type OpenApiParameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: JsonSchema
}
export type OpenApiOperation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  operationId: string
  security?: unknown[]
  parameters?: OpenApiParameter[]
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}
type Components = Partial<{
  schemas: Record<string, JsonSchema>
  parameters: Record<string, object>
  responses: Record<string, object>
}>
export type OpenApiDocument = { operations: OpenApiOperation[]; schemas: Record<string, JsonSchema> }

/**
 * Reads the OpenAPI document that the routes declare, from the library that serves /api/openapi.json, and replaces every
 * reference with its component.
 */
export function readOpenApiDocument(app: FastifyInstance): OpenApiDocument {
  const document = app.swagger() as unknown as {
    paths: Record<string, Record<string, OpenApiOperation>>
    components?: Components
  }
  const components = document.components ?? {}
  const { schemas = {} } = components
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...putIn(operation, components),
      method: method.toUpperCase() as OpenApiOperation['method'], // a path has only methods as keys
      path,
    })),
  )
  return { operations, schemas }
}

/** Replaces every reference with its component. No schema refers to itself. */
function putIn<Part>(part: Part, components: Components): Part {
  const text = JSON.stringify(part, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value
    const [, , kind, name = ''] = String(value.$ref).split('/')
    return components[kind as keyof Components]?.[name]
  })
  return JSON.parse(text)
}
