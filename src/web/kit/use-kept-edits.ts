import { useEffect, useState } from 'react'
import { findDraft, forgetDraft, keepDraft } from '#web/shared/draft.ts'

type KeptEditsOptions<Edits> = {
  key: string
  /** Null while there is nothing to save. */
  edits: Edits | null
  /** False for a form that decides itself when its edits are kept. */
  isOn: boolean
}

/**
 * Keeps the unsaved content of a form while another tab or page is open, the login included; `findDraft` returns it.
 * Says whether they are edits from before, until they are saved or discarded. Not for passwords. Source: rule U30.
 */
export function useKeptEdits<Edits>({ key, edits, isOn }: KeptEditsOptions<Edits>): boolean {
  const [isRestored, setRestored] = useState(() => findDraft(key) !== undefined)
  const isEdited = edits !== null
  useEffect(() => {
    if (!isOn) return
    if (edits === null) forgetDraft(key)
    else keepDraft(key, edits)
  }, [key, edits, isOn])
  useEffect(() => {
    if (!isEdited) setRestored(false)
  }, [isEdited])
  return isOn && isRestored && isEdited
}
