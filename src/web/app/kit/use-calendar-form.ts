import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { Calendar, CalendarChanges } from '#contract/calendars.ts'
import { ApiProblem, sendJson } from '#web/shared/api-client.ts'
import { toast } from '#web/ui/toast.tsx'
import { calendarPath, readCalendarAgain, showChangedCalendar } from './calendar-cache.ts'
import { listDiffering, toSentChanges } from './changed-fields.ts'
import { contractResolver } from './contract-resolver.ts'
import { findDraft } from './draft.ts'
import { showFieldProblems, toProblem } from './show-problem.ts'
import { useKeptEdits } from './use-kept-edits.ts'
import { useShownRecord } from './use-shown-record.ts'

type CalendarFormOptions<Values extends FieldValues> = {
  calendar: Calendar
  /** Names the form among those of a calendar. */
  name: string
  schema: z.ZodType<Values, Values>
  /** What the form shows of a calendar. */
  show: (calendar: Calendar) => Values
  /** Where some of its fields stand in a calendar. */
  toChanges: (values: Partial<Values>) => CalendarChanges
  /** The toast when it is saved, and when it is not. */
  saved: string
  failed: (sentence: string) => string
}

type Draft<Values> = { values: Values; shown: Calendar }

/**
 * A form about some settings of a calendar. It follows the calendar until somebody types; from then on it keeps what
 * was typed through failed requests, other tabs of the page, the login of an ended session, and changes in another
 * window. Those are pointed out before they are overwritten.
 */
export function useCalendarForm<Values extends FieldValues>(options: CalendarFormOptions<Values>) {
  const { calendar, schema, show, toChanges } = options
  const client = useQueryClient()
  const draftKey = `${options.name}:${calendar.id}`
  const [draft] = useState(() => findDraft<Draft<Values>>(draftKey))
  const form = useForm<Values, unknown, Values>({
    mode: 'onTouched',
    resolver: contractResolver(schema),
    // Complete values are default values too; the type cannot tell for a type parameter.
    defaultValues: (draft?.values ?? show(calendar)) as DefaultValues<Values>,
  })
  const { shown, overtaken, showing, follow, overtake, takeStored } = useShownRecord({
    form,
    first: draft?.shown ?? calendar,
    show,
  })
  const { mutateAsync } = useMutation({
    mutationFn: (changes: CalendarChanges) => sendJson<Calendar>('PATCH', calendarPath(calendar.id), changes),
    onSuccess: (changed) => showChangedCalendar(client, changed),
  })
  const values = form.watch()
  const isEdited = listDiffering(values, show(shown)).length > 0
  const isRestored = useKeptEdits(draftKey, isEdited ? { values, shown } : null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a calendar that was read anew is followed
  useEffect(() => {
    if (!isEdited && calendar !== shown) follow(calendar)
  }, [calendar])

  const save = form.handleSubmit(async (checked) => {
    try {
      const { changes, was } = toSentChanges(checked, show(shown))
      const changed = await mutateAsync({ ...toChanges(changes), was: toChanges(was) })
      toast.success(options.saved)
      follow(changed)
    } catch (error) {
      const problem = toProblem(error)
      if (await overtake(problem, () => readCalendarAgain(client, calendar))) return
      toast.error(options.failed(problem.message))
      const fields = Object.keys(show(shown)) as FieldPath<Values>[] // the forms are flat
      if (!showFieldProblems(withFlatPaths(problem), form.setError, fields)) {
        form.setError('root', { message: problem.message })
      }
    }
  })

  const discardRestored = isRestored ? () => follow(calendar) : undefined
  return { form, values, save, isEdited, overtaken, showing, takeStored, discardRestored }
}

/** `reminder_settings.hours` is the field `hours` of its form. */
function withFlatPaths(problem: ApiProblem): ApiProblem {
  const errors = problem.errors.map(({ path, message }) => ({
    path: path.split('.').at(-1) ?? path,
    message,
  }))
  return new ApiProblem({ code: problem.code, status: problem.status, title: problem.message, errors })
}
