import { useEffect, useState } from 'react'
import { findDraft, forgetDraft, keepDraft } from '#web/shared/draft.ts'

/**
 * Keeps the unsaved content of a form while another tab or page is open, the login included; `findDraft` returns it.
 * `edits` is null while there is nothing to save. Says whether they are edits from before, until they are saved or
 * discarded. Not for passwords. Source: rule U30.
 */
export function useKeptEdits<Edits>(key: string, edits: Edits | null): boolean {
  const [isRestored, setRestored] = useState(() => findDraft(key) !== undefined)
  const isEdited = edits !== null
  useEffect(() => {
    if (edits === null) forgetDraft(key)
    else keepDraft(key, edits)
  }, [key, edits])
  useEffect(() => {
    if (!isEdited) setRestored(false)
  }, [isEdited])
  return isRestored && isEdited
}
