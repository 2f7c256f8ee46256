import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { type SessionResponse, type SignInResponse, signInBody } from '#contract/accounts/sessions.ts'
import * as at from '#contract/operations/addresses.ts'
import { LOGIN_AND_REGISTRATION_PAGES } from '#contract/pages/app-pages.ts'
import type { DemoCredentials } from '#contract/pages/page-data.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { EmailText } from '#web/kit/email-text.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { paths } from '#web/shared/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { EmailField, showAuthProblem } from './auth-fields.tsx'
import { AuthPage, TextLink } from './auth-page.tsx'
import { SecondFactorPage } from './second-factor-page.tsx'

/** A new account whose email address is not confirmed yet. Source: rule U5. */
export type UnconfirmedRegistration = {
  email: string
  /** The link to the mailbox of a trial installation, which sends no emails; null on other installations. */
  mailbox: string | null
}

type LoginPageProps = {
  /** The path of the registration page, including the page to open after the login; null where nobody can register. */
  registerHref: string | null
  /** The credentials of the demo practice, if the installation has one. */
  demo?: DemoCredentials | undefined
  /** Set right after a registration, when the owner must open the emailed link first. */
  registered?: UnconfirmedRegistration | undefined
  onSignedIn: (session: SessionResponse) => void
  /** Opens the page that sends a reset link, passing the email address typed so far. */
  onForgotPassword: (email: string) => void
}

const loginForm = signInBody.extend({
  password: z
    .string()
    .min(1, 'Please enter your password')
    .max(LIMITS.passwordMax, 'auth.invalid_credentials'),
})

/** The login page, with a second step if the account has two-factor authentication. Source: rule U13. */
export function LoginPage(props: LoginPageProps) {
  const [asksForCode, setAsksForCode] = useState(false)
  // Explains why the user must start over after the step that asks for a code.
  const [reason, setReason] = useState<string>()
  const startAgain = (why?: string) => {
    setReason(why)
    setAsksForCode(false)
  }
  if (asksForCode) return <SecondFactorPage onSignedIn={props.onSignedIn} onBack={startAgain} />
  return <PasswordStep {...props} reason={reason} onCodeWanted={() => setAsksForCode(true)} />
}

type PasswordStepProps = LoginPageProps & { reason: string | undefined; onCodeWanted: () => void }

function PasswordStep({
  registerHref,
  demo,
  registered,
  onSignedIn,
  onForgotPassword,
  reason,
  onCodeWanted,
}: PasswordStepProps) {
  const { register, handleSubmit, setError, getValues, setValue, formState } = useForm({
    resolver: schemaResolver(loginForm),
    defaultValues: { email: registered?.email ?? '', password: '' },
  })
  const { errors, isSubmitting } = formState

  const signIn = handleSubmit(async (credentials) => {
    let answer: SignInResponse
    try {
      answer = await callApi(at.signIn, { body: credentials })
    } catch (error) {
      showAuthProblem(error, setError)
      return
    }
    if (answer.two_factor_required) return onCodeWanted()
    toast.success('Successfully logged in!')
    onSignedIn(answer)
  })

  return (
    <AuthPage
      title={registered === undefined ? 'Welcome back' : 'Almost there'}
      documentTitle={LOGIN_AND_REGISTRATION_PAGES['/login']}
      subtitle={registered === undefined ? 'Log in to manage your calendars.' : undefined}
      below={
        registered === undefined && (
          <>
            {registerHref !== null && (
              <>
                New here? <TextLink href={registerHref}>Sign up</TextLink>
              </>
            )}
            {demo === undefined && (
              <span className="mt-2 block">
                Just looking? <TextLink href={paths.sample()}>Try a booking</TextLink>
              </span>
            )}
          </>
        )
      }
    >
      <form noValidate onSubmit={signIn} className="flex flex-col gap-4">
        <FormProblem message={errors.root?.message} />
        {registered !== undefined && errors.root === undefined && <ConfirmFirst {...registered} />}
        {registered !== undefined && (
          <p className="mt-2 border-t border-line pt-4">Opened the link on another device? Log in here.</p>
        )}
        {errors.root === undefined && reason !== undefined && (
          <Notice tone="warning" role="alert">
            {reason}
          </Notice>
        )}
        <EmailField error={errors.email?.message} {...register('email')} />
        <PasswordField error={errors.password?.message} {...register('password')} />
        <Button
          type="submit"
          // Right after a registration, the link in the email is the next action.
          variant={registered === undefined ? 'primary' : 'secondary'}
          className="mt-1"
          pending={isSubmitting}
          pendingLabel="Logging in..."
        >
          Log in
        </Button>
        {registered === undefined && (
          <a
            href={paths.forgotPassword()}
            className="flex min-h-11 items-center self-center rounded-control px-3 font-semibold text-link underline underline-offset-4"
            onClick={(event) => {
              event.preventDefault()
              toast.info('Enter your email address, and we’ll send you a link to choose a new password.')
              onForgotPassword(getValues('email'))
            }}
          >
            Forgot password?
          </a>
        )}
      </form>
      {demo !== undefined && registered === undefined && (
        <DemoOffer
          demo={demo}
          onTake={() => {
            setValue('email', demo.email)
            setValue('password', demo.password)
            void signIn()
          }}
        />
      )}
    </AuthPage>
  )
}

/**
 * Asks a new owner to confirm their email address. This is a notice and not a toast, which would be gone when the owner returns
 * from their inbox.
 */
function ConfirmFirst({ email, mailbox }: UnconfirmedRegistration) {
  return (
    <Notice
      tone="success"
      role="status"
      title="Registration successful! Please check your email to confirm your account."
    >
      We sent a link to{' '}
      <span className="font-semibold">
        <EmailText email={email} />
      </span>
      . Open it in this browser to log in.
      {mailbox !== null && (
        <>
          {' '}
          This trial site keeps its emails in a <TextLink href={mailbox}>mailbox</TextLink>.
        </>
      )}
    </Notice>
  )
}

/** Lets a visitor log in to the demo practice with one click. */
function DemoOffer({ demo, onTake }: { demo: DemoCredentials; onTake: () => void }) {
  return (
    <section
      aria-labelledby="demo-login"
      className="mt-3 flex flex-col gap-3 border-t border-line pt-5 text-center"
    >
      <div>
        <h2 id="demo-login" className="text-lg">
          Just looking?
        </h2>
        <p className="text-ink-soft">The demo practice has a week of appointments.</p>
        <p className="flex flex-wrap justify-center gap-x-3 text-sm">
          <code>{demo.email}</code>
          <code>{demo.password}</code>
        </p>
      </div>
      <Button onClick={onTake}>Log in to the demo</Button>
    </section>
  )
}
