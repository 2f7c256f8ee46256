import { connectCaldavBody } from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { callApi } from '#web/shared/call-api.ts'
import { TextField } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { AppPasswordHelp } from './app-password-help.tsx'
import { useAccountForm } from './use-account-form.ts'

type CaldavDialogProps = { calendarId: string; open: boolean; onOpenChange: (open: boolean) => void }

/** Address, user name and password of a server that speaks CalDAV. */
export function CaldavDialog({ calendarId, open, onOpenChange }: CaldavDialogProps) {
  const { form, connect } = useAccountForm({
    calendarId,
    schema: connectCaldavBody,
    empty: { url: '', username: '', password: '' },
    fields: ['url', 'username', 'password'],
    fieldOf: (code) => {
      if (code === 'external_calendar.login_refused') return 'password'
      const isAddress = ADDRESS_REFUSALS.has(code)
      return isAddress ? 'url' : null
    },
    send: (body) => callApi(at.connectCaldav, { params: { id: calendarId }, body }),
    connected: 'Connected to CalDAV',
    onDone: () => onOpenChange(false),
  })
  const { errors, isSubmitting } = form.formState
  const text = { autoCapitalize: 'none', spellCheck: false, maxLength: LIMITS.url } as const
  return (
    <AccountDialog
      title="Connect to CalDAV"
      description="The password is stored encrypted. It is deleted when you disconnect the account."
      submit="Connect"
      open={open}
      onOpenChange={onOpenChange}
      onSubmit={connect}
      pending={isSubmitting}
      problem={errors.root?.message}
    >
      <TextField
        {...text}
        label="Address of the server"
        required
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://caldav.icloud.com"
        error={errors.url?.message}
        {...form.register('url')}
      />
      <TextField
        {...text}
        label="User name"
        required
        autoComplete="off"
        hint="Often your email address."
        error={errors.username?.message}
        {...form.register('username')}
      />
      <PasswordField
        label="Password"
        required
        autoComplete="off"
        maxLength={LIMITS.url}
        hint="Many providers ask for an app password here. See below."
        error={errors.password?.message}
        {...form.register('password')}
      />
      <AppPasswordHelp />
    </AccountDialog>
  )
}

const ADDRESS_REFUSALS: ReadonlySet<string> = new Set([
  'external_calendar.address_invalid',
  'external_calendar.address_refused',
  'external_calendar.connect_failed',
])
