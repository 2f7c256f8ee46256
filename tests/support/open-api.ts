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
export type Document = { operations: Operation[]; schemas: Record<string, JsonSchema> }

/** What the routes declare, written by the same library that serves /api/openapi.json. */
export function readDocument(app: FastifyInstance): Document {
  const document = app.swagger() as unknown as {
    paths: Record<string, Record<string, Operation>>
    components?: { schemas?: Record<string, JsonSchema> }
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase() as Operation['method'], // below a path there are only methods
      path,
    })),
  )
  return { operations, schemas: document.components?.schemas ?? {} }
}
