import { useEffect, useState } from 'react'
import { deleteDraft, findDraft, storeDraft } from '#web/shared/draft.ts'

type UnsavedEditsOptions<Edits> = {
  key: string
  /** The unsaved values; null if there is nothing to save. */
  edits: Edits | null
  /** False for a form that stores its unsaved edits itself. */
  isOn: boolean
}

/**
 * Keeps the unsaved edits of a form while the app shows another page or tab, including the login. `findDraft` returns the edits.
 * Returns true while the form shows restored edits. Not for passwords. Source: rule U30.
 */
export function useKeepUnsavedEdits<Edits>({ key, edits, isOn }: UnsavedEditsOptions<Edits>): boolean {
  const [isRestored, setRestored] = useState(() => findDraft(key) !== undefined)
  const isEdited = edits !== null
  useEffect(() => {
    if (!isOn) return
    if (edits === null) deleteDraft(key)
    else storeDraft(key, edits)
  }, [key, edits, isOn])
  useEffect(() => {
    if (!isEdited) setRestored(false)
  }, [isEdited])
  return isOn && isRestored && isEdited
}
