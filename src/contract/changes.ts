import { z } from 'zod'

/**
 * What changes of a record: what is absent stays as it is. `was` has what the form showed before it was edited; a
 * change is refused with `request.changed_meanwhile` when one of these values is no longer what is stored, so that two
 * windows do not undo each other unseen. Without `was` the change is made whatever stands there. Source: rule X4.
 */
export function changesOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = z.object(shape).partial()
  return fields.extend({ was: fields.optional() })
}
