import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'

type SaveButtonProps = {
  /** Whether there is anything to save. */
  isEdited: boolean
  pending: boolean
  variant?: 'primary' | 'secondary'
  className?: string | undefined
  /** The label. */
  children: string
}

/**
 * Saves its form. Without anything to save it does nothing and says so, but it is not `disabled`: a disabled button
 * would lose the focus after saving, and people who work with the keyboard would begin again at the top of the page.
 */
export function SaveButton({ isEdited, pending, variant = 'primary', className, children }: SaveButtonProps) {
  return (
    <Button
      type="submit"
      variant={variant}
      aria-disabled={!isEdited || pending || undefined}
      className={classNames(isEdited || pending ? undefined : UNAVAILABLE_CLASS, className)}
      pending={pending}
      pendingLabel="Saving..."
      onClick={(event) => {
        if (!isEdited) event.preventDefault()
      }}
    >
      {children}
    </Button>
  )
}

const UNAVAILABLE_CLASS =
  'cursor-not-allowed! border-line! bg-sunken! text-ink-faint! hover:border-line! hover:bg-sunken!'
