/**
 * Unsaved form values, kept in memory while the user is on another page or has to log in again. The key names the form and
 * its record.
 */
const drafts = new Map<string, unknown>()

/** Keeps the unsaved values of a form. */
export function keepDraft<Values>(key: string, values: Values): void {
  drafts.set(key, values)
}

/** Finds the kept values of a form, or undefined. The key determines the type. */
export function findDraft<Values>(key: string): Values | undefined {
  return drafts.get(key) as Values | undefined // kept by the same form under the same key
}

/** Deletes the values of a form after they were saved or discarded. */
export function forgetDraft(key: string): void {
  drafts.delete(key)
}

/** Deletes the values of all forms, because somebody else has logged in. */
export function forgetDrafts(): void {
  drafts.clear()
}
