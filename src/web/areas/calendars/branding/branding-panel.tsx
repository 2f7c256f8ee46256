import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, type UseFormRegisterReturn } from 'react-hook-form'
import type { Branding, RefusedCss } from '#contract/calendars/branding.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { checkColor } from '#core/calendars/page-colors.ts'
import { ColorField } from '#web/kit/color-field.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { FormSwitch } from '#web/kit/form-switch.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { FieldPlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { PlanGate } from '#web/kit/plan-gate.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { useDebounced } from '#web/kit/use-debounced.ts'
import { Card } from '#web/ui/card.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { BrandingPreview } from './branding-preview.tsx'
import { brandingPreviewQuery, brandingQuery, type PreviewedBranding } from './branding-queries.ts'
import { LogoField } from './logo-field.tsx'
import { hasBranding, SavedBranding } from './saved-branding.tsx'
import { BRANDING_FIELD_LABELS, useBrandingForm } from './use-branding-form.ts'

type BrandingPanelProps = {
  calendar: Calendar
  /** The owner's plan; undefined until it has loaded. */
  subscription: SubscriptionResponse | undefined
}

const HEAD = {
  title: 'Branding',
  description: 'Your logo, colours and texts on the booking page and in emails.',
} as const

/** The Branding tab, where the owner edits the look of a calendar's booking page. Source: rules K1 and K3. */
export function BrandingPanel({ calendar, subscription }: BrandingPanelProps) {
  const { data: branding, error, refetch } = useQuery(brandingQuery(calendar.id))
  if (branding === undefined || subscription === undefined) {
    return (
      <Card {...HEAD}>
        <LoadStatus
          query={{ data: undefined, error, refetch }}
          loading="Loading branding..."
          failed="Failed to load branding"
        >
          <div className="flex flex-col gap-5">
            <RepeatedPlaceholder count={5}>
              <FieldPlaceholder hint />
            </RepeatedPlaceholder>
          </div>
        </LoadStatus>
      </Card>
    )
  }
  if (subscription.limits.features.includes('custom_branding')) {
    return <BrandingForm calendar={calendar} branding={branding} />
  }
  return (
    <Card {...HEAD}>
      <PlanGate feature="Custom branding" subscription={subscription}>
        {hasBranding(branding) && (
          <p>Your settings stay saved, but aren’t shown until your plan includes branding.</p>
        )}
      </PlanGate>
      {hasBranding(branding) && <SavedBranding calendarId={calendar.id} branding={branding} />}
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
      <div className="grid gap-8 @4xl:grid-cols-[minmax(0,1fr)_minmax(0,25rem)]">
        <form noValidate onSubmit={save} aria-label="Branding" className="flex min-w-0 flex-col gap-6">
          <FormNotices record={record} labels={BRANDING_FIELD_LABELS} />
          <LogoField calendarId={calendar.id} record={record} />
          <FormSwitch
            control={control}
            name="own_colors"
            label={BRANDING_FIELD_LABELS.own_colors}
            hint="When this is off, the page uses the standard colours and the calendar’s colour."
          />
          {(values.own_colors ? COLOR_NAMES : []).map((name) => (
            <Controller
              key={name}
              control={control}
              name={name}
              render={({ field }) => (
                <div className="flex flex-col gap-3">
                  <ColorField
                    label={BRANDING_FIELD_LABELS[name]}
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
            label={BRANDING_FIELD_LABELS.welcome_message}
            rows={4}
            maxLength={LIMITS.brandingText}
            hint={FORMAT_HINT}
            error={errors.welcome_message?.message}
            {...register('welcome_message')}
          />
          <TextArea
            label={BRANDING_FIELD_LABELS.footer_text}
            rows={3}
            maxLength={LIMITS.brandingText}
            hint="At the end of the booking page, with the same formatting."
            error={errors.footer_text?.message}
            {...register('footer_text')}
          />
          <CssField
            refused={preview.data?.refused ?? []}
            error={errors.custom_css?.message}
            field={register('custom_css')}
          />
          <SaveButton className="self-start" isEdited={isEdited} pending={isSubmitting}>
            Save branding
          </SaveButton>
        </form>
        <BrandingPreview slug={calendar.slug} preview={preview.data} error={preview.error} />
      </div>
    </Card>
  )
}

const COLOR_NAMES = ['primary_color', 'secondary_color'] as const

const COLOR_HINTS = {
  primary_color: 'For buttons, links, the selected day and time, and emails.',
  secondary_color: 'For free days and your initials.',
} as const

const FORMAT_HINT = (
  <>
    At the top of the booking page. You can use <code>**bold**</code>,{' '}
    <code>[a link](https://example.org)</code> and lists, with lines that start with <code>-</code>.
  </>
)

/** Loads a preview of the edited branding from the server whenever the owner pauses typing. */
function usePreview(
  calendarId: string,
  { logo_url: _address, ...look }: PreviewedBranding & { logo_url: string },
) {
  const settled = useDebounced(JSON.stringify(look))
  const asked: PreviewedBranding = JSON.parse(settled)
  const [lastGood, setLastGood] = useState(asked)
  const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text)
  const isComplete = isColor(asked.primary_color) && isColor(asked.secondary_color)
  // While a colour is incomplete, the previous preview stays.
  if (isComplete && JSON.stringify(lastGood) !== settled) setLastGood(asked)
  return useQuery(brandingPreviewQuery(calendarId, isComplete ? asked : lastGood))
}

type ColorNoteProps = {
  /** `#rrggbb`, or any text while the owner is typing. */
  color: string
  /** True when links also use this colour. */
  hasLinks: boolean
}

/** Shows the effect of a colour: the contrast of the text on it, and the link colours. Source: rule K2. */
function ColorNote({ color, hasLinks }: ColorNoteProps) {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return null
  const { onColor, contrastOnColor, light, dark, isCorrected } = checkColor(color)
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-soft">
      <span
        className="rounded-control border border-line px-3 py-1.5 font-semibold"
        style={{ backgroundColor: color, color: onColor }}
      >
        Text on it
      </span>
      <span>
        The text on it is {onColor === '#ffffff' ? 'white' : 'black'}: contrast {contrastOnColor.toFixed(1)}{' '}
        to 1.
      </span>
      {hasLinks && (
        <span className="flex flex-wrap items-center gap-2">
          <LinkSample color={light} onDark={false} />
          <LinkSample color={dark} onDark />
          {isCorrected
            ? 'Links use a shade that is readable in both themes.'
            : 'Links use this colour in both themes.'}
        </span>
      )}
    </div>
  )
}

/** Shows a link as it looks in the light or the dark theme, regardless of the active theme. */
function LinkSample({ color, onDark }: { color: string; onDark: boolean }) {
  return (
    <span
      aria-hidden="true"
      className="rounded-control border border-line px-2 py-1 underline underline-offset-4"
      style={{ color, backgroundColor: onDark ? '#162033' : '#faf6ee' }}
    >
      Link
    </span>
  )
}

type CssFieldProps = {
  field: UseFormRegisterReturn
  refused: readonly RefusedCss[]
  error: string | undefined
}

/** Lets the owner edit the custom CSS, and lists the refused lines while they type. Source: rules K7 and K8. */
function CssField({ field, refused, error }: CssFieldProps) {
  return (
    <div className="flex flex-col gap-3">
      <TextArea
        label={BRANDING_FIELD_LABELS.custom_css}
        rows={6}
        maxLength={LIMITS.customCss}
        spellCheck={false}
        autoComplete="off"
        className="[&_textarea]:max-h-96 [&_textarea]:font-mono [&_textarea]:text-sm"
        placeholder={'h1 { letter-spacing: 0.02em }\n[data-part="welcome"] { font-size: 1.125rem }'}
        hint={
          <>
            Only for the booking page. <code>:scope</code> is the whole page;{' '}
            <code>[data-part="header"]</code>, <code>"welcome"</code> and <code>"footer"</code> are its parts.
            Prices and the booking and payment buttons keep their look, and visitors can always view the page
            without your CSS.
          </>
        }
        error={refused.length > 0 ? undefined : error}
        {...field}
      />
      <div role="status" className="empty:-mt-3">
        {refused.length > 0 && (
          <Notice tone="warning" title="This isn’t allowed">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll this list with the arrow keys */}
            <ul tabIndex={0} className="max-h-60 overflow-y-auto">
              {refused.map(({ line, message }) => (
                <li key={`${line} ${message}`} className="break-words">
                  Line {line}: {message}
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </div>
  )
}
