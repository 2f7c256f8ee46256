import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { LIMITS } from '#contract/shared/limits.ts'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import { TextField, type TextFieldProps } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

type FormField = Omit<TextFieldProps, 'label'>

/** The field for an account's email address. */
export function EmailField(field: FormField) {
  return (
    <TextField
      label="Email"
      type="email"
      autoComplete="username"
      maxLength={LIMITS.email}
      required
      {...field}
    />
  )
}

type NewPasswordFieldsProps = {
  labels: readonly [password: string, confirmation: string]
  password: FormField
  confirmation: FormField
}

/** Asks for a new password twice. */
export function NewPasswordFields({ labels, password, confirmation }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={labels[0]}
        autoComplete="new-password"
        hint={`At least ${LIMITS.passwordMin} characters`}
        {...password}
      />
      <PasswordField label={labels[1]} autoComplete="new-password" {...confirmation} />
    </>
  )
}

/** The error of a form in which the two passwords differ. */
export const DIFFERENT_PASSWORDS_ERROR = {
  path: ['confirm_password'],
  error: 'Passwords do not match!',
  // This check runs even if other fields are invalid, so that all errors are shown at once.
  when: () => true,
}

/** Shows an error response under the fields it concerns, or else above the form. */
export function showAuthProblem<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  fields: readonly FieldPath<Values>[] = [],
): void {
  const problem = toProblem(error)
  if (showFieldProblems(problem, setError, fields)) return
  setError('root', { message: problem.message })
}
