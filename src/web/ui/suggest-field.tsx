import { Autocomplete } from '@base-ui/react/autocomplete'
import { type ReactNode, type Ref, useId, useState } from 'react'
import { CONTROL_CLASS, FieldFrame, type FieldLabelAndNotes, fieldAriaProps } from './field-frame.tsx'
import { OPTION_CLASS, POPUP_CLASS } from './popup-classes.ts'

export type Suggestion = { readonly id: string; readonly label: string; readonly note?: ReactNode }

type SuggestFieldProps<Item extends Suggestion> = FieldLabelAndNotes & {
  value: string
  onChange: (value: string) => void
  /** The suggestions that match the typed text. They may change while the user types. */
  suggestions: readonly Item[]
  onPick: (item: Item) => void
  /** True to show the suggestions when the empty field is pressed, too. */
  opensOnPress?: boolean
  onBlur?: (() => void) | undefined
  inputRef?: Ref<HTMLInputElement> | undefined
  maxLength?: number | undefined
  className?: string | undefined
}

/** Base UI's own changes of the text: it would enter the suggestion's label, and empty the field at Escape. */
const OWN_CHANGES: ReadonlySet<string> = new Set(['item-press', 'escape-key'])

/** A text field with suggestions. The user may also enter a text that is not suggested. */
export function SuggestField<Item extends Suggestion>({
  label,
  hint,
  error,
  required,
  value,
  onChange,
  suggestions,
  onPick,
  opensOnPress = false,
  onBlur,
  inputRef,
  maxLength,
  className,
}: SuggestFieldProps<Item>) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Autocomplete.Root
      items={suggestions}
      // The caller has already filtered the suggestions.
      mode="none"
      // An open list hides the page from screen readers, so an empty list must stay closed.
      open={isOpen && suggestions.length > 0}
      openOnInputClick={opensOnPress}
      onOpenChange={setIsOpen}
      value={value}
      onValueChange={(next, { reason }) => !OWN_CHANGES.has(reason) && onChange(next)}
      itemToStringValue={(item: Item) => item.label}
    >
      <FieldFrame {...{ id, label, hint, error, required, className }}>
        <Autocomplete.Input
          id={id}
          ref={inputRef}
          // While the list is open, Base UI hides the rest of the page from screen readers, including the label.
          aria-label={label}
          autoComplete="off"
          maxLength={maxLength}
          onBlur={() => {
            // A suggestion that arrives late must not open over the next control.
            if (suggestions.length === 0) setIsOpen(false)
            onBlur?.()
          }}
          {...fieldAriaProps(id, { hint, error, required })}
          className={CONTROL_CLASS}
        />
      </FieldFrame>
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={6} className="z-50 outline-none">
          <Autocomplete.Popup className={POPUP_CLASS}>
            <Autocomplete.List
              aria-label={`Known: ${label}`}
              className="max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain p-1"
            >
              {(item: Item) => (
                <Autocomplete.Item
                  key={item.id}
                  value={item}
                  onClick={() => onPick(item)}
                  className={OPTION_CLASS}
                >
                  <span className="min-w-0">
                    <span className="block font-medium wrap-anywhere">{item.label}</span>
                    {item.note !== undefined && (
                      <span className="block text-sm text-ink-soft wrap-anywhere">{item.note}</span>
                    )}
                  </span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}
