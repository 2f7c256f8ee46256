import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'

type SaveButtonProps = {
  /** True when the form has changes to save. */
  isEdited: boolean
  pending: boolean
  variant?: 'primary' | 'secondary'
  className?: string | undefined
  /** The button's text. */
  children: string
}

/**
 * The submit button of a form. If there is nothing to save, it is `aria-disabled` but not `disabled`: a disabled button would
 * lose focus after saving, and keyboard users would start again at the top of the page.
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
