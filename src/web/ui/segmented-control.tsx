type SegmentedControlProps<Value extends string> = {
  /** The name of the group for screen readers. */
  legend: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A row of buttons, one of which is selected, for example to switch between views. */
export function SegmentedControl<Value extends string>({
  legend,
  options,
  value,
  onChange,
}: SegmentedControlProps<Value>) {
  return (
    <fieldset className="flex min-w-0 flex-wrap rounded-control border border-line-strong p-0.5">
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="min-h-9.5 touch:min-h-11 min-w-12 rounded-lg px-2.5 sm:min-w-16 sm:px-3 font-semibold text-ink-soft hover:text-ink aria-pressed:bg-chosen aria-pressed:text-on-night"
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
