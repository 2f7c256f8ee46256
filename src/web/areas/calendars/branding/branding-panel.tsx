import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import type { Branding } from '#contract/calendars/branding.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { ColorField } from '#web/kit/color-field.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { LoadError } from '#web/kit/load-error.tsx'
import { FieldShape, LoadingShape, Repeated } from '#web/kit/loading-shape.tsx'
import { PlanGate } from '#web/kit/plan-gate.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { useSettled } from '#web/kit/use-settled.ts'
import { Card } from '#web/ui/card.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { BrandingPreview } from './branding-preview.tsx'
import { brandingPreviewQuery, brandingQuery, type PreviewedLook } from './branding-queries.ts'
import { ColorNote } from './color-note.tsx'
import { CssField } from './css-field.tsx'
import { LogoField } from './logo-field.tsx'
import { isSet, StoredLook } from './stored-look.tsx'
import { BRANDING_LABELS, useBrandingForm } from './use-branding-form.ts'

type BrandingPanelProps = {
  calendar: Calendar
  /** The owner's plan; undefined while it is not known. */
  subscription: SubscriptionResponse | undefined
}

const HEAD = {
  title: 'Branding',
  description: 'Your logo, your colours and your words on the booking page and in emails.',
} as const

/** How the booking page of a calendar looks. Source: rules K1 and K3. */
export function BrandingPanel({ calendar, subscription }: BrandingPanelProps) {
  const { data: branding, error, refetch } = useQuery(brandingQuery(calendar.id))
  if (branding === undefined || subscription === undefined) {
    return (
      <Card {...HEAD}>
        {error === null ? (
          <LoadingShape text="Loading branding...">
            <div className="flex flex-col gap-5">
              <Repeated count={5}>
                <FieldShape hint />
              </Repeated>
            </div>
          </LoadingShape>
        ) : (
          <LoadError
            error={error}
            title="Failed to load branding"
            hint={error.message}
            onRetry={() => refetch()}
          />
        )}
      </Card>
    )
  }
  if (subscription.limits.features.includes('custom_branding')) {
    return <BrandingForm calendar={calendar} branding={branding} />
  }
  return (
    <Card {...HEAD}>
      <PlanGate feature="Custom branding" subscription={subscription}>
        {isSet(branding) && <p>What you set stays saved, and is not shown until your plan includes it.</p>}
      </PlanGate>
      {isSet(branding) && <StoredLook calendarId={calendar.id} branding={branding} />}
    </Card>
  )
}

function BrandingForm({ calendar, branding }: { calendar: Calendar; branding: Branding }) {
  const record = useBrandingForm(calendar.id, branding)
  const { form, values, save, isEdited } = record
  const { register, control, formState } = form
  const { errors, isSubmitting } = formState
  const preview = usePreview(calendar.id, values)
  return (
    <Card {...HEAD}>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,25rem)]">
        <form noValidate onSubmit={save} aria-label="Branding" className="flex min-w-0 flex-col gap-6">
          <FormNotices record={record} labels={BRANDING_LABELS} />
          <LogoField calendarId={calendar.id} record={record} />
          <Controller
            control={control}
            name="own_colors"
            render={({ field }) => (
              <Switch
                label={BRANDING_LABELS.own_colors}
                hint="While this is off, the page has the standard colours, and the colour of the calendar."
                checked={field.value}
                onChange={field.onChange}
              />
            )}
          />
          {(values.own_colors ? COLOR_NAMES : []).map((name) => (
            <Controller
              key={name}
              control={control}
              name={name}
              render={({ field }) => (
                <div className="flex flex-col gap-3">
                  <ColorField
                    label={BRANDING_LABELS[name]}
                    value={field.value}
                    onChange={field.onChange}
                    hint={COLOR_HINTS[name]}
                    error={errors[name]?.message}
                  />
                  <ColorNote color={field.value} hasLinks={name === 'primary_color'} />
                </div>
              )}
            />
          ))}
          <TextArea
            label={BRANDING_LABELS.welcome_message}
            rows={4}
            maxLength={LIMITS.brandingText}
            hint={FORMAT_HINT}
            error={errors.welcome_message?.message}
            {...register('welcome_message')}
          />
          <TextArea
            label={BRANDING_LABELS.footer_text}
            rows={3}
            maxLength={LIMITS.brandingText}
            hint="At the end of the booking page, formatted in the same way."
            error={errors.footer_text?.message}
            {...register('footer_text')}
          />
          <CssField
            refused={preview.data?.refused ?? []}
            error={errors.custom_css?.message}
            field={register('custom_css')}
          />
          <SaveButton className="self-start" isEdited={isEdited} pending={isSubmitting}>
            Save Branding
          </SaveButton>
        </form>
        <BrandingPreview slug={calendar.slug} preview={preview.data} error={preview.error} />
      </div>
    </Card>
  )
}

const COLOR_NAMES = ['primary_color', 'secondary_color'] as const

const COLOR_HINTS = {
  primary_color: 'For buttons, links, the chosen day and time, and emails.',
  secondary_color: 'For free days and your initials.',
} as const

const FORMAT_HINT = (
  <>
    At the top of the booking page. You can write <code>**bold**</code>,{' '}
    <code>[a link](https://example.org)</code> and lists whose lines begin with <code>-</code>.
  </>
)

/** The look of the form once its author pauses, drawn by the server. */
function usePreview(
  calendarId: string,
  { logo_url: _address, ...look }: PreviewedLook & { logo_url: string },
) {
  const settled = useSettled(JSON.stringify(look))
  const asked: PreviewedLook = JSON.parse(settled)
  const [lastGood, setLastGood] = useState(asked)
  const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text)
  const isComplete = isColor(asked.primary_color) && isColor(asked.secondary_color)
  // While a colour is typed and not complete, the look before it stays.
  if (isComplete && JSON.stringify(lastGood) !== settled) setLastGood(asked)
  return useQuery(brandingPreviewQuery(calendarId, isComplete ? asked : lastGood))
}
