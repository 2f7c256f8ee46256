import { Combobox as BaseCombobox } from '@base-ui/react/combobox'
import { useId } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL_CLASS, FieldFrame, type FieldLabelAndNotes, fieldAriaProps } from './field-frame.tsx'
import { Check } from './icons/check.ts'
import { ChevronDown } from './icons/chevron-down.ts'
import { matchesQuery } from './matches-query.ts'
import { OPTION_CLASS, POPUP_CLASS } from './popup-classes.ts'
import type { Option } from './select.tsx'

type ComboboxProps<Value extends string> = FieldLabelAndNotes & {
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  placeholder?: string | undefined
  /** The text shown if no option matches the typed text. */
  emptyText?: string | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}

/** A searchable select, for long lists such as time zones. */
export function Combobox<Value extends string>({
  label,
  hint,
  error,
  required,
  options,
  value,
  onChange,
  placeholder = 'Type to search',
  emptyText = 'Nothing matches. Try another word.',
  disabled = false,
  className,
}: ComboboxProps<Value>) {
  const id = useId()
  const selected = options.find((option) => option.value === value) ?? null
  // Selects the text, so that typing replaces the chosen value.
  const selectChoice = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    if (input.value === selected?.label) input.select()
  }
  return (
    <BaseCombobox.Root
      items={options}
      value={selected}
      disabled={disabled}
      autoHighlight
      filter={matchesQuery}
      isItemEqualToValue={(item, chosen) => item.value === chosen.value}
      onValueChange={(next) => next !== null && onChange(next.value)}
    >
      <FieldFrame {...{ id, label, hint, error, required, className }}>
        <div className="relative">
          <BaseCombobox.Input
            id={id}
            // While the list is open, Base UI hides the rest of the page from screen readers, including the label.
            aria-label={label}
            placeholder={placeholder}
            {...fieldAriaProps(id, { hint, error, required })}
            onFocus={selectChoice}
            onClick={selectChoice}
            className={classNames(CONTROL_CLASS, 'pe-12')}
          />
          <BaseCombobox.Trigger
            aria-label={`Show all: ${label}`}
            className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-control text-ink-soft"
          >
            <ChevronDown aria-hidden="true" className="size-5" />
          </BaseCombobox.Trigger>
        </div>
      </FieldFrame>
      <BaseCombobox.Portal>
        <BaseCombobox.Positioner sideOffset={6} className="z-50 outline-none">
          <BaseCombobox.Popup className={POPUP_CLASS}>
            <BaseCombobox.Empty className="not-empty:p-3 text-sm text-ink-soft">
              {emptyText}
            </BaseCombobox.Empty>
            <BaseCombobox.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 data-empty:p-0">
              {(option: Option<Value>) => (
                <BaseCombobox.Item key={option.value} value={option} className={OPTION_CLASS}>
                  <span>
                    {option.mark}
                    {option.label}
                  </span>
                  <BaseCombobox.ItemIndicator>
                    <Check aria-hidden="true" className="size-4" />
                  </BaseCombobox.ItemIndicator>
                </BaseCombobox.Item>
              )}
            </BaseCombobox.List>
          </BaseCombobox.Popup>
        </BaseCombobox.Positioner>
      </BaseCombobox.Portal>
    </BaseCombobox.Root>
  )
}
