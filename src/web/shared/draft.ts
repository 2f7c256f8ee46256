/**
 * What somebody was typing when they opened another tab, or when the server asked them to log in again. It is kept in
 * memory only, for the way there and back; `key` names the form and its owner.
 */
const drafts = new Map<string, unknown>()

/** Keeps the values of a form. */
export function keepDraft<Values>(key: string, values: Values): void {
  drafts.set(key, values)
}

/** The kept values of a form, or undefined. The key names the form, so the caller knows their type. */
export function findDraft<Values>(key: string): Values | undefined {
  return drafts.get(key) as Values | undefined // kept by the same form under the same key
}

/** Removes a form's values after they were sent or cancelled. */
export function forgetDraft(key: string): void {
  drafts.delete(key)
}

/** Removes the values of every form, because somebody else continues. */
export function forgetDrafts(): void {
  drafts.clear()
}
