import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type UseFormSetError, useForm } from 'react-hook-form'
import { z } from 'zod'
import { type Calendar, type CreateCalendarBody, createCalendarBody } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { DEFAULT_COLOR, DEFAULT_TITLE_TEMPLATE } from '#contract/shared/limits.ts'
import { isReservedSlug, isValidSlug } from '#core/addresses/slug.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { browserHourCycle } from '#web/kit/browser-hour-cycle.ts'
import { schemaResolver } from '#web/kit/contract-resolver.ts'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import type { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { deleteDraft, findDraft, storeDraft } from '#web/shared/draft.ts'
import { browserTimeZone } from '#web/shared/format-date.ts'
import { toast } from '#web/ui/toast.tsx'
import { addToCalendarList } from './calendar-queries.ts'
import { LIMIT_REACHED } from './create-calendar-error.tsx'

const FIELDS = [
  'name',
  'slug',
  'description',
  'category',
  'color',
  'timezone',
  'default_appointment_title',
  'person_name',
] as const

/** The error message when the session has ended. Source: rule C1. */
const SIGNED_OUT = 'You must be logged in to create a calendar'

/** Manages the form of a new calendar. Typed text is kept until the calendar is created. */
export function useCreateCalendar(
  ownerId: string,
  { asksPerson, onCreated }: { asksPerson: boolean; onCreated: () => void },
) {
  const client = useQueryClient()
  const [draft] = useState(() => findCalendarDraft(ownerId))
  const [slugEdited, setSlugEdited] = useState(draft?.slugEdited ?? false)
  const form = useForm({
    resolver: schemaResolver(calendarFormSchema),
    defaultValues: { ...emptyCalendarForm(browserTimeZone(), browserHourCycle()), ...draft?.values },
  })
  // Ignores a person's name that was typed before the owner's other calendars were deleted, because its field is no longer shown.
  useEffect(() => {
    if (!asksPerson) form.setValue('whose', 'mine')
  }, [asksPerson, form])
  const { mutateAsync } = useMutation({
    mutationFn: (body: CreateCalendarBody) => callApi(at.createCalendar, { body }),
  })

  const create = form.handleSubmit(async (values) => {
    const { whose, person_name, ...body } = values
    let calendar: Calendar
    try {
      calendar = await mutateAsync({
        ...body,
        // If the owner has not edited the link, let the server create it, because the server can find a free one. Source: rule
        // C2.
        slug: slugEdited ? body.slug : '',
        ...(whose === 'other' && { person_name }),
      })
    } catch (error) {
      const problem = toProblem(error)
      if (problem.code === 'auth.required') keepCalendarDraft(ownerId, { values, slugEdited })
      sayProblem(problem, form.setError)
      return
    }
    toast.success('Calendar created successfully!')
    onCreated()
    form.reset(emptyCalendarForm(browserTimeZone(), browserHourCycle()))
    setSlugEdited(false)
    await addToCalendarList(client, calendar)
  })

  return { form, create, slugEdited, setSlugEdited }
}

/**
 * Shows an error response under its field, or else above the form; as a toast only if the session has expired, because the
 * login then replaces the form. Source: rule C1.
 */
function sayProblem(problem: ApiProblem, setError: UseFormSetError<CalendarForm>): void {
  const sentence = problem.code === 'auth.required' ? SIGNED_OUT : problem.message
  if (problem.code === 'auth.required') toast.error(`Failed to create calendar: ${sentence}`)
  const field = fieldOfProblem(problem.code)
  if (field !== null) setError(field, { message: sentence }, { shouldFocus: true })
  else if (!showFieldProblems(problem, setError, FIELDS)) {
    const message = sentence === LIMIT_REACHED ? sentence : `Failed to create calendar: ${sentence}`
    setError('root', { message })
  }
}

/** The schema of the form. It checks the rules of booking links before the request is sent. */
export const calendarFormSchema = createCalendarBody
  .extend({
    slug: createCalendarBody.shape.slug
      .refine((slug) => slug === '' || isValidSlug(slug), { error: 'calendar.slug_invalid', abort: true })
      .refine((slug) => !isReservedSlug(slug), 'calendar.slug_reserved'),
    timezone: z.string(),
    whose: z.enum(['mine', 'other']),
  })
  .refine(({ whose, person_name }) => whose === 'mine' || person_name !== '', {
    path: ['person_name'],
    error: 'person.name_required',
    // This check runs even if other fields are invalid, so that all errors are shown at once.
    when: () => true,
  })
export type CalendarForm = z.input<typeof calendarFormSchema>

/** Returns the values of an empty form. Source: rules C1 and W24. */
export function emptyCalendarForm(timeZone: string, hourCycle: HourCycle): CalendarForm {
  return {
    name: '',
    slug: '',
    description: '',
    category: '',
    color: DEFAULT_COLOR,
    timezone: timeZone,
    hour_cycle: hourCycle,
    appointment_title_required: true,
    default_appointment_title: DEFAULT_TITLE_TEMPLATE,
    payment_required: false,
    whose: 'mine',
    person_name: '',
  }
}

/** The unsaved values of a new calendar, which are restored after a login. */
type CalendarDraft = { values: CalendarForm; slugEdited: boolean }

/** Stores the typed values, so that they can be restored after a login. */
function keepCalendarDraft(ownerId: string, draft: CalendarDraft): void {
  storeDraft(keyOf(ownerId), draft)
}

/** Finds the unsaved values of this owner's new calendar. */
export function findCalendarDraft(ownerId: string): CalendarDraft | undefined {
  return findDraft<CalendarDraft>(keyOf(ownerId))
}

/** Deletes the unsaved values. Called when the calendar has been created or the dialog cancelled. */
export function deleteCalendarDraft(ownerId: string): void {
  deleteDraft(keyOf(ownerId))
}

function keyOf(ownerId: string): string {
  return `create-calendar:${ownerId}`
}

/** Returns the field that an error concerns; null if it concerns the whole form. */
function fieldOfProblem(code: ApiProblem['code']): keyof CalendarForm | null {
  if (code === 'calendar.name_required') return 'name'
  if (code === 'calendar.time_zone_unknown') return 'timezone'
  return code.startsWith('calendar.slug_') ? 'slug' : null
}
