import { type ComponentPropsWithRef, useEffect, useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'

type SecretFieldProps = Omit<ComponentPropsWithRef<typeof TextField>, 'type'> & {
  /** The server has one, and never shows it again. */
  isStored: boolean
}

/** A secret that can be written and replaced, never read. Source: rule F7. */
export function SecretField({ isStored, label, ...field }: SecretFieldProps) {
  const id = useId()
  const [isReplacing, setReplacing] = useState(false)
  // The pressed button is gone, so the field has the focus.
  useEffect(() => {
    if (isReplacing) document.getElementById(id)?.focus()
  }, [isReplacing, id])
  if (isStored && !isReplacing) {
    return (
      <div className="flex min-w-0 flex-col gap-1.5">
        <p className="text-sm font-semibold text-ink">{label}</p>
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <p>A secret is stored</p>
          <Button size="sm" aria-label={`Replace ${label}`} onClick={() => setReplacing(true)}>
            Replace
          </Button>
        </div>
      </div>
    )
  }
  return (
    <TextField
      {...field}
      id={id}
      label={label}
      type="password"
      autoComplete="off"
      required={!isStored}
      hint={isStored ? 'The stored one stays until you save another.' : undefined}
    />
  )
}
