import { z } from 'zod'

/** Makes an object schema that is a component of `openapi.json` under this name. Other kinds of schemas use `.meta({ id })`. */
export function componentSchema<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id })
}
