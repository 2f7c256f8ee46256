import { z } from 'zod'
import { signUpBody } from '#contract/accounts/sessions.ts'

/** The registration form: the contract's fields, and the password a second time. Source: rule U1. */
export const registerForm = signUpBody
  .extend({ confirm_password: z.string() })
  .refine((form) => form.password === form.confirm_password, {
    path: ['confirm_password'],
    error: 'Passwords do not match!',
    // Shown together with errors elsewhere, not only once the rest is right.
    when: () => true,
  })

export const EMPTY_REGISTER_FORM = { full_name: '', email: '', password: '', confirm_password: '' }
