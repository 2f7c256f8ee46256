import type { ReactNode } from 'react'

type ChosenLineProps = {
  /** What the button changes, for those who do not see the line. */
  what: string
  onChange: (() => void) | undefined
  children: ReactNode
}

/** A choice that was made on a phone, on one line, with the way to change it. Source: rule B29. */
export function ChosenLine({ what, onChange, children }: ChosenLineProps) {
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
