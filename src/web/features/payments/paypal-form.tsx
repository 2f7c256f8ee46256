import { Controller } from 'react-hook-form'
import { LIMITS } from '#contract/limits.ts'
import type { PaymentSettings } from '#contract/payment-settings.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import type { useRecordForm } from '#web/kit/use-record-form.ts'
import { TextField } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { SecretField } from './secret-field.tsx'

export type PaypalValues = {
  paypal_client_id: string
  /** Empty: what is stored stays. */
  paypal_client_secret: string
  paypal_redirect_uri: string
  paypal_mode: PaymentSettings['paypal_mode']
}

const LABELS = {
  paypal_client_id: 'Client ID',
  paypal_client_secret: 'Client Secret',
  paypal_redirect_uri: 'Redirect URI',
  paypal_mode: 'Mode',
} as const

const MODES = [
  { value: 'sandbox', label: 'Sandbox' },
  { value: 'live', label: 'Live' },
] as const

type PaypalFormProps = {
  settings: PaymentSettings
  record: ReturnType<typeof useRecordForm<PaymentSettings, PaypalValues>>
}

/** The owner's app at PayPal. It stays the same app while an account is connected through it. */
export function PaypalForm({ settings, record }: PaypalFormProps) {
  const { form, save, isEdited, showing } = record
  const { register, control, formState } = form
  const { errors, isSubmitting } = formState
  const isFixed = settings.paypal_connected
  const text = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <form
      noValidate
      onSubmit={save}
      aria-label="PayPal settings"
      className="flex min-w-0 flex-col gap-5 border-b border-line pb-5"
    >
      <FormNotices record={record} labels={LABELS} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          {...text}
          label={LABELS.paypal_client_id}
          required
          readOnly={isFixed}
          maxLength={LIMITS.paypalClientId}
          hint={isFixed ? 'To use another app, disconnect PayPal first.' : undefined}
          error={errors.paypal_client_id?.message}
          {...register('paypal_client_id')}
        />
        <SecretField
          key={showing}
          label={LABELS.paypal_client_secret}
          isStored={settings.has_paypal_client_secret}
          maxLength={LIMITS.paypalClientSecret}
          error={errors.paypal_client_secret?.message}
          {...register('paypal_client_secret')}
        />
        <TextField
          {...text}
          type="url"
          inputMode="url"
          className="sm:col-span-2"
          label={LABELS.paypal_redirect_uri}
          required
          maxLength={LIMITS.url}
          placeholder={settings.paypal_callback_url}
          hint={<CallbackHint url={settings.paypal_callback_url} />}
          error={errors.paypal_redirect_uri?.message}
          {...register('paypal_redirect_uri')}
        />
        <Controller
          control={control}
          name="paypal_mode"
          render={({ field }) => (
            <Select
              label={LABELS.paypal_mode}
              options={MODES}
              value={field.value}
              onChange={field.onChange}
              disabled={isFixed}
              error={errors.paypal_mode?.message}
            />
          )}
        />
      </div>
      <SaveButton className="self-start" isEdited={isEdited} pending={isSubmitting}>
        Save Payment Settings
      </SaveButton>
    </form>
  )
}

function CallbackHint({ url }: { url: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span>Must be one that your PayPal app allows. Meridian’s is</span>
      <span className="flex min-w-0 items-center">
        <code className="min-w-0 break-all">{url}</code>
        <CopyButton text={url} label="Copy the redirect URI" done="Copied to clipboard!" />
      </span>
    </span>
  )
}
