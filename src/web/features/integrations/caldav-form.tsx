import { connectCaldavBody } from '#contract/external-calendars.ts'
import { LIMITS } from '#contract/limits.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { AppPasswordHelp } from './app-password-help.tsx'
import { useAccountForm } from './use-account-form.ts'

type AccountFormProps = { calendarId: string; onDone: () => void }

/** Address, user name and password of a server that speaks CalDAV. */
export function CaldavForm({ calendarId, onDone }: AccountFormProps) {
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
    onDone,
  })
  const { errors, isSubmitting } = form.formState
  const text = { autoCapitalize: 'none', spellCheck: false, maxLength: LIMITS.url } as const
  return (
    <form noValidate onSubmit={connect} className="flex flex-col gap-5">
      {errors.root?.message !== undefined && (
        <Notice tone="danger" role="alert">
          {errors.root.message}
        </Notice>
      )}
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
      <Button
        type="submit"
        variant="primary"
        className="self-start"
        pending={isSubmitting}
        pendingLabel="Connecting..."
      >
        Connect
      </Button>
    </form>
  )
}

const ADDRESS_REFUSALS: ReadonlySet<string> = new Set([
  'external_calendar.address_invalid',
  'external_calendar.address_refused',
  'external_calendar.connect_failed',
])
