import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { CircleAlert } from './icons/circle-alert.ts'

/** The texts of a labelled control. An error replaces the hint. */
export type FieldLabelAndNotes = {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
  required?: boolean | undefined
}

/** Returns the ARIA attributes of a control: the ids of its texts, and its state. */
export function fieldAriaProps(id: string, { hint, error, required }: Omit<FieldLabelAndNotes, 'label'>) {
  return {
    'aria-describedby': (hasText(error) && `${id}-error`) || (hasText(hint) && `${id}-hint`) || undefined,
    'aria-invalid': hasText(error) || undefined,
    // Not the `required` attribute, which would show the browser's own error bubbles.
    'aria-required': required || undefined,
  } as const
}

/** Shows the label's text, with an asterisk if the control is required. */
export function FieldLabelText({ label, required }: Pick<FieldLabelAndNotes, 'label' | 'required'>) {
  return (
    <>
      {label}
      {required && (
        <span aria-hidden="true" className="ms-0.5 text-noon-ink">
          *
        </span>
      )}
    </>
  )
}

/** Shows the error of a control, or else its hint. */
export function FieldNotes({ id, hint, error }: { id: string } & Pick<FieldLabelAndNotes, 'hint' | 'error'>) {
  if (hasText(error)) {
    return (
      <p id={`${id}-error`} className="flex items-start gap-1.5 text-sm font-medium text-danger">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {error}
      </p>
    )
  }
  return (
    hasText(hint) && (
      <div id={`${id}-hint`} className="text-sm text-ink-soft">
        {hint}
      </div>
    )
  )
}

/** Lays out a label, a control, and a hint or error in a column. */
export function FieldFrame({
  id,
  label,
  hint,
  error,
  required,
  className,
  children,
}: FieldLabelAndNotes & { id: string; className?: string | undefined; children: ReactNode }) {
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className={LABEL_CLASS}>
        <FieldLabelText label={label} required={required} />
      </label>
      {children}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

export const LABEL_CLASS = 'text-sm font-semibold text-ink'

/** The class of text inputs and selects. */
export const CONTROL_CLASS = 'control'

function hasText(text: ReactNode): boolean {
  return text !== undefined && text !== null && text !== '' && text !== false
}
