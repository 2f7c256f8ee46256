import type { ReactNode } from 'react'

type CollapsedStepProps = {
  /** The name of the choice that the button changes, for screen readers, such as "date and time". */
  what: string
  onChange: (() => void) | undefined
  children: ReactNode
}

/** A finished step on a phone: shows the choice on one line, with a button to change it. Source: rule B29. */
export function CollapsedStep({ what, onChange, children }: CollapsedStepProps) {
  return (
    <div className="chosen-line">
      <p className="flex items-center justify-between">
        <span className="truncate text-sm font-semibold">{children}</span>
        <button
          type="button"
          onClick={onChange}
          className="min-h-12 shrink-0 rounded-control px-3 text-link underline underline-offset-4"
        >
          Change<span className="sr-only"> {what}</span>
        </button>
      </p>
    </div>
  )
}
