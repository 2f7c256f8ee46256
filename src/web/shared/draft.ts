/**
 * Unsaved form values, kept in memory while the user visits another page or has to log in again. The key names the form and its
 * record.
 */
const drafts = new Map<string, unknown>()

/** Stores the unsaved values of a form in memory. */
export function storeDraft<Values>(key: string, values: Values): void {
  drafts.set(key, values)
}

/** Returns the stored values of a form, or undefined if there are none. The key determines the type. */
export function findDraft<Values>(key: string): Values | undefined {
  return drafts.get(key) as Values | undefined // stored by the same form under the same key
}

/** Deletes the values of a form once they have been saved or discarded. */
export function deleteDraft(key: string): void {
  drafts.delete(key)
}

/** Deletes the values of all forms, because another user has logged in. */
export function deleteAllDrafts(): void {
  drafts.clear()
}
