import { z } from 'zod'

/** An object schema that is a component of `openapi.json` under this name. Other schemas get `.meta({ id })`. */
export function component<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id })
}
