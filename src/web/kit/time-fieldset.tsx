import { type ReactNode, useId } from 'react'
import { LABEL_CLASS } from '#web/ui/field-frame.tsx'

type TimeFieldsetProps = {
  /** The name of the time zone: the description of the fields, not part of their name. */
  zone: string
  children: ReactNode
}

/** Groups the fields for a time. */
export function TimeFieldset({ zone, children }: TimeFieldsetProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={id} className="flex min-w-0 flex-col gap-3">
      <legend className={LABEL_CLASS}>Time</legend>
      <p id={id} className="-mb-1 text-sm text-ink-soft">
        {zone}
      </p>
      {children}
    </fieldset>
  )
}
