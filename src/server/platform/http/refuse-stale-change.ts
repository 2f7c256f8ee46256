import { isDeepStrictEqual } from 'node:util'
import { ProblemError } from './problem-error.ts'

/**
 * Optimistic locking: refuses a change when the values shown in the form differ from those stored now. Null and an
 * empty text count as equal. Source: rule X4.
 * @throws ProblemError `request.changed_meanwhile` with the fields that differ
 */
export function refuseStaleChange(
  stored: Readonly<Record<string, unknown>>,
  was: Readonly<Record<string, unknown>> | undefined,
): void {
  const differing = Object.entries(was ?? {}).filter(
    ([field, before]) => before !== undefined && !isDeepStrictEqual(stored[field] ?? '', before ?? ''),
  )
  if (differing.length === 0) return
  throw new ProblemError(
    'request.changed_meanwhile',
    differing.map(([path]) => ({ path, message: 'This was changed in another window.' })),
  )
}
