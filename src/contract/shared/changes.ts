import { z } from 'zod'

/**
 * Makes the schema of a partial update: absent fields stay unchanged. `was` contains the values that the form showed before the
 * edit. The update is refused with `request.changed_meanwhile` when one of them differs from the stored value, so that two
 * windows do not silently overwrite each other. Without `was`, the update always takes effect. Source: rule X4.
 */
export function partialUpdateSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = z.object(shape).partial()
  return fields.extend({ was: fields.optional() })
}
