import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { signUpBody } from '#contract/accounts/sessions.ts'
import { INFORMATION_PAGES } from '#contract/information/information-pages.ts'
import * as at from '#contract/operations/addresses.ts'
import { LOGIN_AND_REGISTRATION_PAGES } from '#contract/pages/app-pages.ts'
import type { RegistrationMode } from '#contract/pages/page-data.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { DIFFERENT_PASSWORDS_ERROR, EmailField, NewPasswordFields, showAuthProblem } from './auth-fields.tsx'
import { AuthPage, TextLink } from './auth-page.tsx'

/** The registration fields of the contract, plus the repeated password. Source: rule U1. */
const registerForm = signUpBody
  .extend({ confirm_password: z.string() })
  .refine((form) => form.password === form.confirm_password, DIFFERENT_PASSWORDS_ERROR)

type RegisterPageProps = {
  /** The path of the login page, including the page to open after the login. */
  loginHref: string
  /** True on a trial installation, where nobody should enter real data. */
  isTrial: boolean
  registration: RegistrationMode
  /** The invitation from the link of an email, and the address it is for. */
  invitation?: { readonly id: string; readonly email: string } | undefined
  onRegistered: (email: string) => void
}

/** Lets a visitor create an account, where the site allows it. Source: rules U1 and U35. */
export function RegisterPage(props: RegisterPageProps) {
  const { loginHref, registration, invitation } = props
  const isOpen = registration === 'open' || (registration === 'invited' && invitation !== undefined)
  return (
    <AuthPage
      title={LOGIN_AND_REGISTRATION_PAGES['/register']}
      subtitle={isOpen && 'Free to start, no credit card required.'}
      below={
        <>
          Already have an account? <TextLink href={loginHref}>Log in</TextLink>
        </>
      }
    >
      {isOpen ? (
        <RegisterForm {...props} />
      ) : (
        <p>
          {
            PROBLEMS[registration === 'closed' ? 'auth.registration_closed' : 'auth.invitation_required']
              .title
          }
        </p>
      )}
    </AuthPage>
  )
}

function RegisterForm({ isTrial, invitation, onRegistered }: RegisterPageProps) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: schemaResolver(registerForm),
    defaultValues: { full_name: '', email: invitation?.email ?? '', password: '', confirm_password: '' },
  })
  const { errors, isSubmitting } = formState

  const signUp = handleSubmit(async ({ full_name, email, password }) => {
    try {
      await callApi(at.signUp, {
        body: { full_name, email, password, ...(invitation && { invitation: invitation.id }) },
      })
    } catch (error) {
      showAuthProblem(error, setError, ['full_name', 'email', 'password'])
      return
    }
    onRegistered(email)
  })

  return (
    <form noValidate onSubmit={signUp} className="flex flex-col gap-4">
      <FormProblem message={errors.root?.message} />
      <TextField
        label="Full Name"
        autoComplete="name"
        maxLength={LIMITS.personName}
        required
        error={errors.full_name?.message}
        {...register('full_name')}
      />
      <EmailField readOnly={invitation !== undefined} error={errors.email?.message} {...register('email')} />
      <NewPasswordFields
        labels={['Password', 'Confirm password']}
        password={{ error: errors.password?.message, ...register('password') }}
        confirmation={{ error: errors.confirm_password?.message, ...register('confirm_password') }}
      />
      <Button
        type="submit"
        variant="primary"
        className="mt-1"
        pending={isSubmitting}
        pendingLabel="Creating account..."
      >
        Create account
      </Button>
      <p className="text-sm text-ink-soft">
        {isTrial && 'This is a trial site: please don’t enter real data. '}
        By creating an account you accept the <TextLink href={INFORMATION_PAGES.terms.path}>Terms</TextLink>.
        See what we store about you under <TextLink href={INFORMATION_PAGES.privacy.path}>Privacy</TextLink>.
      </p>
    </form>
  )
}
