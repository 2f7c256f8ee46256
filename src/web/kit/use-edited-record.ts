import { useState } from 'react'
import { dismissToastWithoutAction } from '#web/ui/toast-store.ts'

/**
 * Holds the state of a dialog that edits the records of a list. `record` is null for a new record. The dialog starts open if the
 * owner was editing before they had to log in again: `findDraft` finds their draft.
 *
 * `edit` opens the dialog for a record. Pass `key` to the dialog, so that it is remounted for the next record.
 */
export function useEditDialog<Stored>(findDraft: () => { readonly shown: Stored | null } | undefined) {
  const [draft] = useState(findDraft)
  const [record, setRecord] = useState<Stored | null>(draft?.shown ?? null)
  const [open, setOpen] = useState(draft !== undefined)
  const [editings, setEditings] = useState(0)
  const edit = (next: Stored | null) => {
    // Dismiss the toast here, because a dialog that is mounted open does not: the toast would cover its fields.
    dismissToastWithoutAction()
    setRecord(next)
    setOpen(true)
    setEditings(editings + 1)
  }
  // For an existing record, the dialog shows the current values each time it opens. For a new record, it keeps what was typed.
  const key = record === null ? 'new' : editings
  return { edit, record, key, open, setOpen }
}
