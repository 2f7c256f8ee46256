import { z } from 'zod'

/**
 * A change of a record: what is absent stays as it is. `was` has the values that the form showed before it was edited.
 * The change is refused with `request.changed_meanwhile` when one of these values differs from what is stored, so that
 * two windows do not overwrite each other unseen. Without `was` the change is always made. Source: rule X4.
 */
export function changesOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = z.object(shape).partial()
  return fields.extend({ was: fields.optional() })
}
