import { Controller } from 'react-hook-form'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { SecretField } from './secret-field.tsx'
import { PAYMENT_LABELS, type PaymentRecord } from './use-payment-form.ts'

const MODES = [
  { value: 'sandbox', label: 'Sandbox' },
  { value: 'live', label: 'Live' },
] as const

type PaypalFieldsProps = { settings: PaymentSettings; record: PaymentRecord }

/** The owner's app at PayPal. It stays the same app while an account is connected through it. */
export function PaypalFields({ settings, record }: PaypalFieldsProps) {
  const { form, showing, values } = record
  const { register, control, formState } = form
  const { errors } = formState
  const isFixed = settings.paypal_connected
  const text = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <fieldset aria-label="PayPal settings" className="min-w-0 border-b border-line pb-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          {...text}
          label={PAYMENT_LABELS.paypal_client_id}
          required
          readOnly={isFixed}
          maxLength={LIMITS.paypalClientId}
          hint={isFixed ? 'To use another app, disconnect PayPal first.' : undefined}
          error={errors.paypal_client_id?.message}
          {...register('paypal_client_id')}
        />
        <SecretField
          key={showing}
          label={PAYMENT_LABELS.paypal_client_secret}
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
          label={PAYMENT_LABELS.paypal_redirect_uri}
          required
          maxLength={LIMITS.url}
          hint={
            <CallbackHint
              url={settings.paypal_callback_url}
              isFilledIn={values.paypal_redirect_uri === settings.paypal_callback_url}
            />
          }
          error={errors.paypal_redirect_uri?.message}
          {...register('paypal_redirect_uri')}
        />
        <Controller
          control={control}
          name="paypal_mode"
          render={({ field }) => (
            <Select
              label={PAYMENT_LABELS.paypal_mode}
              options={MODES}
              value={field.value}
              onChange={field.onChange}
              disabled={isFixed}
              error={errors.paypal_mode?.message}
            />
          )}
        />
      </div>
    </fieldset>
  )
}

type CallbackHintProps = { url: string; isFilledIn: boolean }

function CallbackHint({ url, isFilledIn }: CallbackHintProps) {
  const button = <CopyButton text={url} label="Copy the redirect URI" done="Copied to clipboard!" />
  if (isFilledIn) {
    return (
      <span className="flex items-center">
        <span className="min-w-0">Add this address to the return URLs of your PayPal app.</span>
        {button}
      </span>
    )
  }
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span>Must be a return URL of your PayPal app. Meridian’s is</span>
      <span className="flex min-w-0 items-center">
        <code className="min-w-0 break-all">{url}</code>
        {button}
      </span>
    </span>
  )
}
