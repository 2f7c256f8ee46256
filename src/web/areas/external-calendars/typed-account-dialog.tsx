import {
  type CalendarProviderName,
  connectCaldavBody,
  connectIcsBody,
} from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { TextField } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { useAccountForm } from './use-account-form.ts'

type DialogProps = { calendarId: string; open: boolean; onOpenChange: (open: boolean) => void }

type TypedAccountDialogProps = DialogProps & { provider: Extract<CalendarProviderName, 'caldav' | 'ics'> }

/** Lets the owner connect or reconnect an account with typed credentials, for providers without a consent page. */
export function ConnectByAddressDialog({ provider, ...props }: TypedAccountDialogProps) {
  return provider === 'caldav' ? <CaldavDialog {...props} /> : <AddressDialog {...props} />
}

/** Lets the owner connect an account on a CalDAV server. */
function CaldavDialog({ calendarId, open, onOpenChange }: DialogProps) {
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
    <FormDialog
      title="Connect to CalDAV"
      description="We store the password encrypted, and delete it when you disconnect the account."
      open={open}
      onOpenChange={onOpenChange}
      onSubmit={connect}
      pending={isSubmitting}
      pendingLabel="Connecting..."
      submitLabel="Connect"
    >
      <FormProblem message={errors.root?.message} />
      <TextField
        {...text}
        label="Server address"
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
        hint="Many providers need an app password here. See below."
        error={errors.password?.message}
        {...form.register('password')}
      />
      <AppPasswordHelp />
    </FormDialog>
  )
}

const ADDRESS_REFUSALS: ReadonlySet<string> = new Set([
  'external_calendar.address_invalid',
  'external_calendar.address_refused',
  'external_calendar.connect_failed',
])

/** Lets the owner connect an iCalendar file by its URL. The file is only read. */
function AddressDialog({ calendarId, open, onOpenChange }: DialogProps) {
  const { form, connect } = useAccountForm({
    calendarId,
    schema: connectIcsBody,
    empty: { url: '' },
    fields: ['url'],
    fieldOf: (code) => (code.startsWith('external_calendar.') ? 'url' : null),
    send: (body) => callApi(at.connectIcs, { params: { id: calendarId }, body }),
    connected: 'Calendar address added',
    onDone: () => onOpenChange(false),
  })
  const { errors, isSubmitting } = form.formState
  return (
    <FormDialog
      title="Add a calendar address"
      description="We store the address encrypted, because anyone who knows it can read the calendar."
      open={open}
      onOpenChange={onOpenChange}
      onSubmit={connect}
      pending={isSubmitting}
      pendingLabel="Connecting..."
      submitLabel="Add address"
    >
      <FormProblem message={errors.root?.message} />
      <TextField
        label="Calendar address"
        required
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={LIMITS.url}
        placeholder="https://example.com/calendar.ics"
        hint="Your calendar app shows it where you share or publish a calendar. It often ends with .ics."
        error={errors.url?.message}
        {...form.register('url')}
      />
    </FormDialog>
  )
}

/** The server addresses of common CalDAV providers, and how to get an app password there. Source: their help pages. */
const PROVIDERS = [
  {
    name: 'iCloud',
    address: 'https://caldav.icloud.com',
    steps:
      'On account.apple.com open Sign-In and Security, then App-Specific Passwords, and create one. Your user name is your Apple Account.',
  },
  {
    name: 'Fastmail',
    address: 'https://caldav.fastmail.com',
    steps:
      'Open Settings, Privacy & Security, then Manage app passwords. Create one with access to calendars (CalDAV).',
  },
  {
    name: 'Nextcloud',
    address: 'https://your-server.example/remote.php/dav',
    steps: 'Open your Personal settings, Security, then Devices & sessions, and create a new app password.',
  },
] as const

/** Explains how to get an app password from common CalDAV providers. */
function AppPasswordHelp() {
  return (
    <div className="rounded-control bg-sunken p-4">
      <p className="font-semibold">App passwords</p>
      <p className="mt-1 text-sm text-ink-soft">
        An app password is a separate password for one app. You can revoke it without changing your own.
      </p>
      {PROVIDERS.map(({ name, address, steps }) => (
        <details key={name} className="mt-2 text-sm">
          <summary className="min-h-8 py-1.5 font-semibold">{name}</summary>
          <p className="text-ink-soft">{steps}</p>
          <p className="mt-1 mb-2">
            Address: <code className="break-all">{address}</code>
          </p>
        </details>
      ))}
    </div>
  )
}
