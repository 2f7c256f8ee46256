import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { confirmTwoFactorBody, startTwoFactorBody, type TwoFactorSetup } from '#contract/accounts/security.ts'
import * as at from '#contract/operations/addresses.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { FormButtons } from '#web/kit/form-dialog.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { CodeField } from '#web/ui/code-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { QrCode } from './qr-code.tsx'
import { twoFactorQuery } from './security-queries.ts'
import { BackupCodes } from './two-factor-dialogs.tsx'

type TwoFactorSetupDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** Lets the owner turn two-factor authentication on: asks for the password and a first code, then shows the backup codes. */
export function TwoFactorSetupDialog({ open, onOpenChange }: TwoFactorSetupDialogProps) {
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null)
  const [on, setOn] = useState(false)
  const formId = useId()
  const [pending, setPending] = useState(false)
  const title = on ? 'Save your backup codes' : 'Two-factor authentication'
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      dismissible={!on}
      footer={
        !on && (
          <FormButtons
            formId={formId}
            onCancel={() => onOpenChange(false)}
            pending={pending}
            pendingLabel="Checking..."
            submitLabel={setup === null ? 'Continue' : 'Turn on'}
          />
        )
      }
    >
      {setup === null && <PasswordStep formId={formId} onPending={setPending} onDone={setSetup} />}
      {setup !== null && !on && (
        <CodeStep formId={formId} setup={setup} onPending={setPending} onDone={() => setOn(true)} />
      )}
      {setup !== null && on && <BackupCodes codes={setup.backup_codes} onDone={() => onOpenChange(false)} />}
    </Dialog>
  )
}

const START = ['security', 'start']
const CONFIRMATION = ['security', 'confirmation']

type StepProps = { formId: string; onPending: (pending: boolean) => void }

function PasswordStep({
  formId,
  onPending,
  onDone,
}: StepProps & { onDone: (setup: TwoFactorSetup) => void }) {
  const client = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: schemaResolver(startTwoFactorBody),
    defaultValues: { password: '' },
  })
  const { mutateAsync } = useMutation({
    mutationKey: START,
    mutationFn: (body: { password: string }) => callApi(at.startTwoFactor, { body }),
  })
  const { errors } = formState

  const start = handleSubmit(async (body) => {
    // A second request would replace the secret that the dialog shows.
    if (client.isMutating({ mutationKey: START }) > 0) return
    onPending(true)
    try {
      onDone(await mutateAsync(body))
    } catch (error) {
      const problem = toProblem(error)
      showProblem(problem, setError, ['password'])
      if (problem.code === 'account.two_factor_on') await client.invalidateQueries(twoFactorQuery)
    } finally {
      onPending(false)
    }
  })
  return (
    <form id={formId} noValidate onSubmit={start} className="flex flex-col gap-4">
      <FormProblem message={errors.root?.message} />
      <p className="text-ink-soft">
        You need an authenticator app, for example Google Authenticator, Microsoft Authenticator or a password
        manager.
      </p>
      <PasswordField error={errors.password?.message} {...register('password')} />
    </form>
  )
}

function CodeStep({
  formId,
  setup,
  onPending,
  onDone,
}: StepProps & { setup: TwoFactorSetup; onDone: () => void }) {
  const client = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: schemaResolver(confirmTwoFactorBody),
    defaultValues: { code: '' },
  })
  const { mutateAsync } = useMutation({
    mutationKey: CONFIRMATION,
    mutationFn: (body: { code: string }) => callApi(at.confirmTwoFactor, { body }),
  })
  const { errors } = formState

  const confirm = handleSubmit(async (body) => {
    // Typing the last digit and then pressing Enter must send only one request.
    if (client.isMutating({ mutationKey: CONFIRMATION }) > 0) return
    onPending(true)
    try {
      const twoFactor = await mutateAsync(body)
      client.setQueryData(twoFactorQuery.queryKey, twoFactor)
      toast.success('Two-factor authentication is on')
      onDone()
    } catch (error) {
      showProblem(toProblem(error), setError, ['code'])
    } finally {
      onPending(false)
    }
  })
  return (
    <form id={formId} noValidate onSubmit={confirm} className="flex flex-col gap-5">
      <FormProblem message={errors.root?.message} />
      <ol className="flex list-decimal flex-col gap-5 ps-5 marker:font-semibold">
        <li className="ps-1">
          <p>Scan this code with your authenticator app.</p>
          <div className="mt-3 flex flex-col gap-4">
            <QrCode text={setup.uri} label="QR code for your authenticator app" />
            <div className="min-w-0">
              <p className="text-sm text-ink-soft">Can’t scan it? Enter this key:</p>
              <p className="mt-1 flex items-center gap-1">
                <code className="min-w-0 rounded-control bg-sunken px-2 py-1 font-mono text-sm break-words">
                  {inGroups(setup.secret)}
                </code>
                <CopyButton text={setup.secret} label="Copy key" done="Copied to clipboard!" />
              </p>
            </div>
          </div>
        </li>
        <li className="ps-1">
          <CodeField
            label="Enter the current code from the app"
            inputMode="numeric"
            required
            className="max-w-xs"
            error={errors.code?.message}
            onComplete={() => void confirm()}
            {...register('code')}
          />
        </li>
      </ol>
    </form>
  )
}

/** Groups a secret in fours, which are easier to copy by hand: `JBSW Y3DP EHPK`. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
