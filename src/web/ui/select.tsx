import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select as BaseSelect } from '@base-ui/react/select'
import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import {
  CONTROL_CLASS,
  type FieldLabelAndNotes,
  FieldLabelText,
  FieldNotes,
  fieldAriaProps,
  LABEL_CLASS,
} from './field-frame.tsx'
import { Check } from './icons/check.ts'
import { ChevronDown } from './icons/chevron-down.ts'
import { OPTION_CLASS, POPUP_CLASS } from './popup-classes.ts'

export type Option<Value extends string = string> = {
  value: Value
  label: string
  /** Additional search words (used by `Combobox` only). */
  keywords?: string | undefined
  /** A decoration before the label. */
  mark?: ReactNode
}

type SelectProps<Value extends string> = FieldLabelAndNotes & {
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  placeholder?: string | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}

/** A select for a few options. For long lists, use `Combobox`. */
export function Select<Value extends string>({
  label,
  hint,
  error,
  required,
  options,
  value,
  onChange,
  placeholder = 'Choose one',
  disabled = false,
  className,
}: SelectProps<Value>) {
  const id = useId()
  const chosen = options.find((option) => option.value === value)
  return (
    // The Content-Security-Policy forbids the <style> element that Base UI would add for its scroll bars.
    <CSPProvider disableStyleElements>
      <BaseSelect.Root
        items={options}
        value={value}
        disabled={disabled}
        onValueChange={(next) => next !== null && onChange(next)}
      >
        <div className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
          <BaseSelect.Label className={LABEL_CLASS}>
            <FieldLabelText label={label} required={required} />
          </BaseSelect.Label>
          <BaseSelect.Trigger
            {...fieldAriaProps(id, { hint, error, required })}
            className={classNames(CONTROL_CLASS, 'flex items-center justify-between gap-2 text-start')}
          >
            <BaseSelect.Value className="wrap-anywhere sm:truncate data-placeholder:text-ink-faint">
              {chosen?.mark}
              {chosen?.label ?? placeholder}
            </BaseSelect.Value>
            <BaseSelect.Icon className="shrink-0 text-ink-soft">
              <ChevronDown aria-hidden="true" className="size-5" />
            </BaseSelect.Icon>
          </BaseSelect.Trigger>
          <FieldNotes id={id} hint={hint} error={error} />
        </div>
        <BaseSelect.Portal>
          <BaseSelect.Positioner sideOffset={6} alignItemWithTrigger={false} className="z-50 outline-none">
            <BaseSelect.Popup className={POPUP_CLASS}>
              <BaseSelect.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto p-1">
                <ListedOptions options={options} />
              </BaseSelect.List>
            </BaseSelect.Popup>
          </BaseSelect.Positioner>
        </BaseSelect.Portal>
      </BaseSelect.Root>
    </CSPProvider>
  )
}

/** A separate component, so that a closed select does not render its options. */
function ListedOptions({ options }: { options: readonly Option[] }) {
  return options.map((option) => (
    <BaseSelect.Item key={option.value} value={option.value} className={OPTION_CLASS}>
      <BaseSelect.ItemText>
        {option.mark}
        {option.label}
      </BaseSelect.ItemText>
      <BaseSelect.ItemIndicator>
        <Check aria-hidden="true" className="size-4" />
      </BaseSelect.ItemIndicator>
    </BaseSelect.Item>
  ))
}
