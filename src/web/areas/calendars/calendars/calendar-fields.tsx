import { useMemo } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { Owner } from '#contract/accounts/sessions.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { toProfessionalNames } from '#core/accounts/person-name.ts'
import { normaliseTypedSlug, toSlug } from '#core/addresses/slug.ts'
import { ColorField } from '#web/kit/color-field.tsx'
import { FormSwitch } from '#web/kit/form-switch.tsx'
import { PersonOfCalendarFields } from '#web/kit/whose-time-fields.tsx'
import { paths } from '#web/shared/paths.ts'
import { timeZoneOptions } from '#web/shared/time-zone-options.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { removeUrlScheme } from './booking-page-card.tsx'
import { CategoryField } from './category-field.tsx'
import { TitleTemplateField } from './title-template-field.tsx'
import type { CalendarForm, calendarFormSchema } from './use-create-calendar.ts'

type CalendarFieldsProps = {
  form: UseFormReturn<CalendarForm, unknown, z.output<typeof calendarFormSchema>>
  owner: Pick<Owner, 'first_name' | 'last_name'>
  /** True when the form asks whose time the calendar uses. The first calendar always uses the owner's time. */
  asksPerson: boolean
  /** True once the owner has edited the booking link, which then no longer follows the name. */
  slugEdited: boolean
  onSlugEdited: (edited: boolean) => void
}

/** The form fields of a new calendar. Source: rule C1. */
export function CalendarFields({ form, owner, asksPerson, slugEdited, onSlugEdited }: CalendarFieldsProps) {
  const { register, control, setValue, watch, formState } = form
  const { errors } = formState
  const [name, slug = '', timeZone, titleRequired, whose, personName = ''] = watch([
    'name',
    'slug',
    'timezone',
    'appointment_title_required',
    'whose',
    'person_name',
  ])
  const zones = useMemo(() => timeZoneOptions(timeZone), [timeZone])

  return (
    <>
      <TextField
        label="Name"
        required
        maxLength={LIMITS.calendarName}
        placeholder="Sunrise Physiotherapy"
        error={errors.name?.message}
        {...register('name', {
          onChange: (event) => {
            if (!slugEdited)
              setValue('slug', toSlug(event.target.value), { shouldValidate: errors.slug !== undefined })
          },
        })}
      />
      <TextField
        label="Booking link"
        maxLength={LIMITS.slug}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        error={errors.slug?.message}
        hint={<LinkPreview slug={slug} />}
        {...register('slug', {
          onChange: (event) => {
            const typed = normaliseTypedSlug(event.target.value)
            setValue('slug', typed)
            // If the owner empties the link, it follows the name again.
            onSlugEdited(typed !== '')
          },
        })}
      />
      {asksPerson && (
        <Controller
          control={control}
          name="person_name"
          render={({ field, fieldState }) => (
            <PersonOfCalendarFields
              whose={whose}
              onWhose={(next) => setValue('whose', next)}
              name={field.value ?? ''}
              onName={field.onChange}
              nameRef={field.ref}
              nameError={fieldState.error?.message}
            />
          )}
        />
      )}
      <TextArea
        label="Description"
        maxLength={LIMITS.calendarDescription}
        placeholder="What customers can expect"
        error={errors.description?.message}
        {...register('description')}
      />
      <Controller
        control={control}
        name="category"
        render={({ field, fieldState }) => (
          <CategoryField
            value={field.value ?? ''}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
      <Controller
        control={control}
        name="timezone"
        render={({ field, fieldState }) => (
          <Combobox
            label="Time zone"
            hint="Your opening hours and appointments use this time zone."
            options={zones}
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
      <Controller
        control={control}
        name="color"
        render={({ field, fieldState }) => (
          <ColorField
            label="Colour"
            value={field.value ?? ''}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
      <FormSwitch
        control={control}
        name="appointment_title_required"
        label="Ask for an appointment title"
        hint="Customers see a title and can change it."
      />
      {titleRequired && (
        <Controller
          control={control}
          name="default_appointment_title"
          render={({ field, fieldState }) => (
            <TitleTemplateField
              value={field.value ?? ''}
              onChange={field.onChange}
              names={{
                calendar_name: name.trim() || 'your calendar',
                ...professionalOf(owner, whose === 'other' ? personName.trim() : ''),
              }}
              error={fieldState.error?.message}
            />
          )}
        />
      )}
      <FormSwitch
        control={control}
        name="payment_required"
        label="Require payment when booking"
        hint="For every appointment type with a price, once a payment provider is connected."
      />
    </>
  )
}

/** Returns the professional's name that the server will set. Source: rule T38. */
function professionalOf(owner: CalendarFieldsProps['owner'], personName: string) {
  if (personName === '')
    return { professional_first_name: owner.first_name, professional_last_name: owner.last_name }
  return toProfessionalNames(personName)
}

function LinkPreview({ slug }: { slug: string }) {
  if (slug === '') return 'Created from the name.'
  return (
    <>
      Customers book at
      <strong className="block break-all text-ink">
        {removeUrlScheme(`${location.origin}${paths.book(slug)}`)}
      </strong>
    </>
  )
}
