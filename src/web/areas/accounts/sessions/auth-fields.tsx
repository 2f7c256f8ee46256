import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { LIMITS } from '#contract/shared/limits.ts'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import { TextField, type TextFieldProps } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'

type FormField = Omit<TextFieldProps, 'label'>

/** The email address of an account. */
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

/** A new password, typed twice. */
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

/** The error of a form whose two passwords differ. */
export const PASSWORDS_DIFFER = {
  path: ['confirm_password'],
  error: 'Passwords do not match!',
  // Checked even if other fields are invalid, so that all errors show at once.
  when: () => true,
}

/** Shows a refusal under its fields, or else above the form and as a toast. */
export function showAuthProblem<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  fields: readonly FieldPath<Values>[] = [],
): void {
  const problem = toProblem(error)
  if (showFieldProblems(problem, setError, fields)) return
  setError('root', { message: problem.message })
  toast.error(problem.message)
}
