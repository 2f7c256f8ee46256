import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export type CheckControlProps = {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean | undefined
  name?: string | undefined
  className?: string | undefined
}

/** A native checkbox with a label and a hint. `Checkbox` and `Switch` are built on it. */
export function CheckControl({
  label,
  hint,
  checked,
  onChange,
  disabled,
  name,
  className,
  role,
  boxClass,
}: CheckControlProps & { role?: 'switch' | undefined; boxClass: string }) {
  const id = useId()
  return (
    <div className={classNames('flex items-start gap-3 max-[17rem]:flex-wrap', className)}>
      <input
        id={id}
        type="checkbox"
        role={role}
        name={name}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className={boxClass}
      />
      <div className="min-w-0">
        {/* Padding with a negative margin makes the label 44 px high without taking up space. */}
        <label htmlFor={id} className={classNames('-my-2.5 block py-2.5', disabled && 'text-ink-faint')}>
          {label}
        </label>
        {hint && (
          <div id={`${id}-hint`} className="relative text-sm text-ink-soft">
            {hint}
          </div>
        )}
      </div>
    </div>
  )
}
