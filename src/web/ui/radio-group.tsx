import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export type RadioOption<Value extends string> = {
  readonly value: Value
  readonly label: ReactNode
  readonly hint?: ReactNode
}

type RadioGroupProps<Value extends string> = {
  legend: string
  /** True when a heading already says the legend, so that it is hidden visually. */
  isLegendHidden?: boolean
  options: readonly RadioOption<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  className?: string | undefined
}

/** Radio buttons with hints. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { legend, isLegendHidden = false, options, value, onChange, className } = props
  const id = useId()
  return (
    <fieldset className={classNames('flex flex-col gap-3', className)}>
      <legend className={isLegendHidden ? 'sr-only' : 'mb-2 font-semibold'}>{legend}</legend>
      {options.map((option, index) => {
        const optionId = `${id}-${index}`
        return (
          <div key={option.value}>
            {/* Padding with a negative margin makes the label 44 px high without taking up space. */}
            <label
              htmlFor={optionId}
              className="-mx-2 -my-2.5 flex cursor-pointer items-start gap-3 rounded-control px-2 py-2.5"
            >
              <input
                id={optionId}
                type="radio"
                name={id}
                value={option.value}
                checked={option.value === value}
                aria-describedby={option.hint === undefined ? undefined : `${optionId}-hint`}
                onChange={() => onChange(option.value)}
                className="radio-sun mt-0.75"
              />
              <span className="min-w-0">{option.label}</span>
            </label>
            {option.hint !== undefined && (
              <div id={`${optionId}-hint`} className="relative ms-7.5 text-sm text-ink-soft">
                {option.hint}
              </div>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
