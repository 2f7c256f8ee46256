import fastify from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type RouteDeps, registerRoutes } from '#server/app/routes.ts'

/** The schema of one request value, and its location: `PATCH /api/profile body.first_name`. */
export type RequestValueSchema = { readonly at: string; readonly schema: z.core.$ZodType }

const PARTS = ['params', 'querystring', 'headers', 'body'] as const

/** Lists every value that a schema reads from a request: each string, number, instant and so on of each operation. */
export async function listRequestValues(): Promise<RequestValueSchema[]> {
  const found: RequestValueSchema[] = []
  const app = fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    // Fastify adds HEAD routes by itself, with the schemas of GET.
    if (method === 'HEAD') return
    for (const part of PARTS) {
      const given = schema[part]
      if (given === undefined) continue
      if (!(given instanceof z.ZodType)) throw new Error(`${method} ${url}: ${part} is read without zod`)
      found.push(...listValuesInSchema(`${method} ${url} ${part}`, given))
    }
  })
  // The routes are only registered, never called, so their dependencies may be missing.
  await registerRoutes(app, { sandbox: true, site: {}, attemptsPerMinute: 1 } as unknown as RouteDeps)
  await app.close()
  return found
}

/** Lists the values within a schema. For a transformed value, this is the value as sent. */
export function listValuesInSchema(at: string, schema: z.core.$ZodType): RequestValueSchema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => listValuesInSchema(`${at}.${name}`, inner))
    case 'array':
      return listValuesInSchema(`${at}[]`, def.element)
    case 'record':
      return [...listValuesInSchema(`${at}{}`, def.keyType), ...listValuesInSchema(`${at}{}`, def.valueType)]
    case 'union':
      return def.options.flatMap((option) => listValuesInSchema(at, option))
    case 'intersection':
      return [def.left, def.right].flatMap((side) => listValuesInSchema(at, side))
    case 'pipe':
      return listValuesInSchema(at, def.in)
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return listValuesInSchema(at, def.innerType)
    default:
      return [{ at, schema }]
  }
}
