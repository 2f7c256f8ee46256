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
    <div className="@container rounded-control bg-sunken ps-3">
      {/* With large text a choice takes several lines, above its button. */}
      <p className="flex items-center justify-between @max-[16rem]:flex-col @max-[16rem]:items-start @max-[16rem]:pt-2">
        <span className="truncate text-sm font-semibold @max-[16rem]:max-w-full @max-[16rem]:whitespace-normal @max-[16rem]:wrap-anywhere">
          {children}
        </span>
        <button
          type="button"
          onClick={onChange}
          className="min-h-12 shrink-0 rounded-control px-3 text-link underline underline-offset-4 @max-[16rem]:px-0"
        >
          Change<span className="sr-only"> {what}</span>
        </button>
      </p>
    </div>
  )
}
