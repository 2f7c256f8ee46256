import { useId, useState } from 'react'
import { classNames } from './class-names.ts'
import type { TextFieldProps } from './field.tsx'
import { CONTROL_CLASS, FieldFrame, fieldAriaProps } from './field-frame.tsx'

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'label'> & { label?: string }

/** A password field with a button that reveals the typed text. By default, it asks for the account's current password. */
export function PasswordField({
  label = 'Password',
  hint,
  error,
  required = true,
  autoComplete = 'current-password',
  className,
  id,
  ...input
}: PasswordFieldProps) {
  const ownId = useId()
  const fieldId = id ?? ownId
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame {...{ id: fieldId, label, hint, error, required, className }}>
      <div className="relative">
        <input
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          autoComplete={autoComplete}
          {...input}
          id={fieldId}
          type={shown ? 'text' : 'password'}
          {...fieldAriaProps(fieldId, { hint, error, required })}
          className={classNames(CONTROL_CLASS, 'pe-20')}
        />
        <button
          type="button"
          aria-controls={fieldId}
          aria-label={shown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 end-0 rounded-control px-3.5 text-sm font-semibold text-link underline-offset-4 hover:underline"
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      </div>
    </FieldFrame>
  )
}
