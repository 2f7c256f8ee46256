import { Button } from '#web/ui/button.tsx'
import { ChevronDown } from '#web/ui/icons/chevron-down.ts'

type DisclosureButtonProps = {
  /** The id of the element that the button shows and hides. */
  controls: string
  open: boolean
  onChange: (open: boolean) => void
  children: string
}

/** A button that shows and hides the element below it. */
export function DisclosureButton({ controls, open, onChange, children }: DisclosureButtonProps) {
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-expanded={open}
      aria-controls={controls}
      onClick={() => onChange(!open)}
    >
      {children}
      <ChevronDown
        aria-hidden="true"
        className={open ? 'size-4 rotate-180 transition-transform' : 'size-4 transition-transform'}
      />
    </Button>
  )
}
