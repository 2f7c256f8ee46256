import { useEffect, useMemo, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { Owner } from '#contract/accounts/sessions.ts'
import { type Setup, setupOwnerBody } from '#contract/accounts/setup.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { CATEGORIES, LIMITS } from '#contract/shared/limits.ts'
import { initialsOf, splitName } from '#core/accounts/person-name.ts'
import { browserHourCycle } from '#web/kit/browser-hour-cycle.ts'
import { toPartialUpdate } from '#web/kit/changed-fields.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { showProblem, toProblem } from '#web/kit/show-problem.ts'
import { browserTimeZone } from '#web/shared/format-date.ts'
import { timeZoneOptions } from '#web/shared/time-zone-options.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { TextField } from '#web/ui/field.tsx'
import { matchesQuery } from '#web/ui/matches-query.ts'
import { SuggestField } from '#web/ui/suggest-field.tsx'
import { useChangeSetup } from './setup-query.ts'
import { SetupStepFrame } from './setup-step.tsx'

type YouStepProps = {
  owner: Owner
  setup: Setup
  /** The calendar that is set up; undefined before this step. */
  calendar: Calendar | undefined
  onDone: () => void
  /** Called once the owner has edited the form. */
  onEdit?: (() => void) | undefined
}

/** The first step: the owner's name, profession and time zone. Skipping it creates the calendar, too. */
export function YouStep({ owner, setup, calendar, onDone, onEdit }: YouStepProps) {
  const { mutateAsync, isPending } = useChangeSetup()
  const [shown] = useState(() => ({
    name: owner.full_name,
    profession: calendar?.category ?? '',
    time_zone: calendar?.timezone ?? browserTimeZone(),
    hour_cycle: browserHourCycle(),
  }))
  const form = useForm({ resolver: schemaResolver(setupOwnerBody), defaultValues: shown })
  const { register, control, handleSubmit, setError, watch, formState } = form
  const { errors, isDirty } = formState
  useEffect(() => {
    if (isDirty) onEdit?.()
  }, [isDirty, onEdit])
  const zones = useMemo(() => timeZoneOptions(shown.time_zone), [shown.time_zone])

  const send = async (body: Parameters<typeof mutateAsync>[0]) => {
    try {
      await mutateAsync(body)
    } catch (error) {
      const problem = toProblem(error)
      if (problem.code === 'calendar.time_zone_unknown') setError('time_zone', { message: problem.message })
      else showProblem(problem, setError, ['name', 'profession', 'time_zone'])
      return
    }
    onDone()
  }
  // Once there is a calendar, only edits are sent: the rest may have been changed in the settings meanwhile.
  const save = handleSubmit((you) =>
    send(
      setup.calendar_id === null
        ? { you }
        : { you: toPartialUpdate(you, shown).changes, steps: { you: 'done' } },
    ),
  )
  // The other steps need a calendar, so skipping this step creates one with the owner's name and the browser's zone.
  const skip = () =>
    setup.calendar_id === null ? void send({ you: shown, steps: { you: 'skipped' } }) : onDone()

  return (
    <SetupStepFrame
      title="You"
      description="Customers see this on your booking page and in emails. You can change it later."
      submitLabel="Continue"
      onSubmit={save}
      onSkip={skip}
      pending={isPending}
      problem={errors.root?.message}
      fields={
        <div className="grid max-w-xl gap-5">
          <div className="flex flex-col gap-2">
            <TextField
              label="Your name"
              autoComplete="name"
              maxLength={LIMITS.personName}
              hint="With your title, if you use one: Dr. Ada Example"
              error={errors.name?.message}
              required
              {...register('name')}
            />
            <NamePreview name={watch('name')} />
          </div>
          <Controller
            control={control}
            name="profession"
            render={({ field, fieldState }) => (
              <SuggestField
                label="Profession"
                hint="We’ll suggest services for it."
                maxLength={LIMITS.category}
                value={field.value}
                onChange={field.onChange}
                onPick={({ label }) => field.onChange(label)}
                onBlur={field.onBlur}
                opensOnPress
                inputRef={field.ref}
                suggestions={listProfessions(field.value)}
                error={fieldState.error?.message}
              />
            )}
          />
          <Controller
            control={control}
            name="time_zone"
            render={({ field, fieldState }) => (
              <Combobox
                label="Time zone"
                hint="From your browser. Your hours use this time zone."
                options={zones}
                value={field.value}
                onChange={field.onChange}
                error={fieldState.error?.message}
              />
            )}
          />
        </div>
      }
    />
  )
}

/** Shows how the product reads the name, because a title must not be taken for a first name. */
function NamePreview({ name }: { name: string }) {
  const { firstName } = splitName(name)
  const initials = initialsOf(name)
  if (firstName === '' || initials === '') return null
  return (
    <p className="flex items-center gap-3 text-sm text-ink-soft">
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken font-semibold text-ink"
      >
        {initials}
      </span>
      <span className="min-w-0 wrap-anywhere">
        Customers see “{name.trim()}”. We call you {firstName}.
      </span>
    </p>
  )
}

/** Professions that are suggested only once they are typed, because the list of all would be long. */
const MORE_PROFESSIONS = ['Psychotherapist', 'Psychologist', 'Physiotherapist', 'Dentist', 'Tutor'] as const

/** Lists the professions to suggest for a typed text. */
function listProfessions(typed: string) {
  const professions = typed === '' ? CATEGORIES : [...CATEGORIES, ...MORE_PROFESSIONS]
  const options = professions.map((category) => ({ id: category, label: category, value: category }))
  return options.filter((option) => option.label !== typed && matchesQuery(option, typed))
}
