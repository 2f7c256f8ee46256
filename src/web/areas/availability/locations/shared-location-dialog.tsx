import { type FormEvent, useState } from 'react'
import { LIMITS } from '#contract/shared/limits.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { useAddLocation } from './use-location-changes.ts'

type SharedLocationDialogProps = {
  calendarId: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Lets the owner add another owner's location by its sharing code. Source: rule L3. */
export function SharedLocationDialog({ calendarId, open, onOpenChange }: SharedLocationDialogProps) {
  const [code, setCode] = useState('')
  const { mutate, reset, isPending, error } = useAddLocation(calendarId)
  const close = () => {
    setCode('')
    reset()
    onOpenChange(false)
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    mutate({ sharing_code: code }, { onSuccess: close })
  }
  return (
    <FormDialog
      open={open}
      onOpenChange={close}
      title="Use a shared location"
      description="Another owner’s location. They give you its code, and your appointments reserve it."
      pending={isPending}
      pendingLabel="Adding..."
      submitLabel="Add"
      onSubmit={send}
    >
      <TextField
        label="Sharing code"
        required
        maxLength={LIMITS.sharingCode}
        hint="For example 7gkm2-x9wqa. Its owner can find it under Locations."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={error?.message}
      />
    </FormDialog>
  )
}
