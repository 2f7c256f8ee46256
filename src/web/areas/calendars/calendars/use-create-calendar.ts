import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type UseFormSetError, useForm } from 'react-hook-form'
import type { Calendar, CreateCalendarBody } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { contractResolver } from '#web/kit/contract-resolver.ts'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import type { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { browserTimeZone } from '#web/shared/format-date.ts'
import { toast } from '#web/ui/toast.tsx'
import { findCalendarDraft, keepCalendarDraft } from './calendar-draft.ts'
import { type CalendarForm, calendarForm, emptyCalendarForm } from './calendar-form.ts'
import { fieldOfProblem } from './calendar-problem-field.ts'
import { rememberCalendar } from './calendar-queries.ts'

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

/** Source: rule C1. */
const SIGNED_OUT = 'You must be logged in to create a calendar'

/** The form of a new calendar, and sending it. It keeps what was typed until the calendar is created. */
export function useCreateCalendar(
  ownerId: string,
  { asksPerson, onCreated }: { asksPerson: boolean; onCreated: () => void },
) {
  const client = useQueryClient()
  const [draft] = useState(() => findCalendarDraft(ownerId))
  const [slugEdited, setSlugEdited] = useState(draft?.slugEdited ?? false)
  const form = useForm({
    resolver: contractResolver(calendarForm),
    defaultValues: { ...emptyCalendarForm(browserTimeZone()), ...draft?.values },
  })
  // Nobody is asked for a name that was begun before the other calendars were deleted.
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
        // The server makes a link that only follows the name, because it can find a free one. Source: rule C2.
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
    form.reset(emptyCalendarForm(browserTimeZone()))
    setSlugEdited(false)
    await rememberCalendar(client, calendar)
  })

  return { form, create, slugEdited, setSlugEdited }
}

/** A toast always says it; the form says it beside the field. Source: rule C1. */
function sayProblem(problem: ApiProblem, setError: UseFormSetError<CalendarForm>): void {
  const sentence = problem.code === 'auth.required' ? SIGNED_OUT : problem.message
  toast.error(`Failed to create calendar: ${sentence}`)
  const field = fieldOfProblem(problem.code)
  if (field !== null) setError(field, { message: sentence }, { shouldFocus: true })
  else if (!showFieldProblems(problem, setError, FIELDS)) setError('root', { message: sentence })
}
