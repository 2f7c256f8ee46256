import { type ComponentPropsWithRef, useEffect, useId, useState } from 'react'
import { Controller } from 'react-hook-form'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { PaymentProviderCard } from './provider-card.tsx'
import { PAYMENT_FIELD_LABELS, type PaymentForm } from './use-payment-form.ts'

type PaypalCardProps = {
  calendar: Calendar
  settings: PaymentSettings
  subscription: SubscriptionResponse | undefined
  /** The state of the form, which covers the whole tab. */
  record: PaymentForm
}

/** The PayPal card. Owners connect PayPal through an app that they create at PayPal. Source: rule F2. */
export function PaypalCard({ record, ...card }: PaypalCardProps) {
  const { settings } = card
  const isSaved = !record.isEdited && settings.paypal_client_id && settings.paypal_redirect_uri
  return (
    <PaymentProviderCard
      {...card}
      provider="paypal"
      description="Customers pay with their PayPal wallet, through an app you create in your PayPal account."
      account={settings.paypal_connected ? (settings.paypal_email ?? settings.paypal_merchant_id) : null}
      obstacle={isSaved ? null : PROBLEMS['payment.paypal_incomplete'].title}
    >
      <PaypalFields settings={settings} record={record} />
    </PaymentProviderCard>
  )
}

const MODES = [
  { value: 'sandbox', label: 'Sandbox' },
  { value: 'live', label: 'Live' },
] as const

type PaypalFieldsProps = { settings: PaymentSettings; record: PaymentForm }

/** The settings of the owner's PayPal app. They cannot be changed while an account is connected through the app. */
function PaypalFields({ settings, record }: PaypalFieldsProps) {
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
          label={PAYMENT_FIELD_LABELS.paypal_client_id}
          required
          readOnly={isFixed}
          maxLength={LIMITS.paypalClientId}
          hint={isFixed ? 'To use another app, disconnect PayPal first.' : undefined}
          error={errors.paypal_client_id?.message}
          {...register('paypal_client_id')}
        />
        <SecretField
          key={showing}
          label={PAYMENT_FIELD_LABELS.paypal_client_secret}
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
          label={PAYMENT_FIELD_LABELS.paypal_redirect_uri}
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
              label={PAYMENT_FIELD_LABELS.paypal_mode}
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

type SecretFieldProps = Omit<ComponentPropsWithRef<typeof TextField>, 'type'> & {
  /** True if the server has stored a secret. The server never returns the secret itself. */
  isStored: boolean
}

/** Lets the owner set or replace a secret, but not read the stored one. Source: rule F7. */
function SecretField({ isStored, label, ...field }: SecretFieldProps) {
  const id = useId()
  const [isReplacing, setReplacing] = useState(false)
  // Focus the field, because the pressed button no longer exists.
  useEffect(() => {
    if (isReplacing) document.getElementById(id)?.focus()
  }, [isReplacing, id])
  if (isStored && !isReplacing) {
    return (
      <div className="flex min-w-0 flex-col gap-1.5">
        <p className="text-sm font-semibold text-ink">{label}</p>
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <p>A secret is stored</p>
          <Button size="sm" aria-label={`Replace ${label}`} onClick={() => setReplacing(true)}>
            Replace
          </Button>
        </div>
      </div>
    )
  }
  return (
    <TextField
      {...field}
      id={id}
      label={label}
      type="password"
      autoComplete="off"
      required={!isStored}
      hint={isStored ? 'We keep the stored one until you save another.' : undefined}
    />
  )
}
