import { useState } from 'react'

/**
 * Which record of a list a dialog edits; null for a new one. The dialog keeps its record while it closes. It is open at first where
 * somebody was editing before they had to log in again: `findDraft` finds what they had typed.
 *
 * `edit` opens the dialog for a record. The dialog needs `key`, so that it begins anew for the next record.
 */
export function useEditedRecord<Stored>(findDraft: () => { readonly shown: Stored | null } | undefined) {
  const [draft] = useState(findDraft)
  const [record, setRecord] = useState<Stored | null>(draft?.shown ?? null)
  const [open, setOpen] = useState(draft !== undefined)
  const [editings, setEditings] = useState(0)
  const edit = (next: Stored | null) => {
    setRecord(next)
    setOpen(true)
    setEditings(editings + 1)
  }
  // A record is edited from its present values; a new one continues with the typed text.
  const key = record === null ? 'new' : editings
  return { edit, record, key, open, setOpen }
}
