import { type ComponentPropsWithRef, useId } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL_CLASS, FieldFrame, type FieldLabelAndNotes, fieldAriaProps } from './field-frame.tsx'

export type TextFieldProps = FieldLabelAndNotes &
  Omit<ComponentPropsWithRef<'input'>, keyof FieldLabelAndNotes> & {
    /** Class names of the whole field, not of the input. */
    className?: string | undefined
  }

/** A single-line text field with label, hint and error. */
export function TextField({ label, hint, error, required, className, id, ...input }: TextFieldProps) {
  const ownId = useId()
  const fieldId = id ?? ownId
  return (
    <FieldFrame {...{ id: fieldId, label, hint, error, required, className }}>
      <input
        {...input}
        id={fieldId}
        {...fieldAriaProps(fieldId, { hint, error, required })}
        className={CONTROL_CLASS}
      />
    </FieldFrame>
  )
}

type TextAreaProps = FieldLabelAndNotes &
  Omit<ComponentPropsWithRef<'textarea'>, keyof FieldLabelAndNotes> & { className?: string | undefined }

/** A multi-line `TextField`. */
export function TextArea({
  label,
  hint,
  error,
  required,
  className,
  id,
  rows = 3,
  ...textarea
}: TextAreaProps) {
  const ownId = useId()
  const fieldId = id ?? ownId
  return (
    <FieldFrame {...{ id: fieldId, label, hint, error, required, className }}>
      <textarea
        {...textarea}
        id={fieldId}
        rows={rows}
        {...fieldAriaProps(fieldId, { hint, error, required })}
        className={classNames(CONTROL_CLASS, 'field-sizing-content min-h-24')}
      />
    </FieldFrame>
  )
}
