import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { Calendar, CalendarChanges } from '#contract/calendars.ts'
import { ApiProblem, sendJson } from '#web/shared/api-client.ts'
import { toast } from '#web/ui/toast.tsx'
import { calendarPath, readCalendarAgain, showChangedCalendar } from './calendar-cache.ts'
import { contractResolver } from './contract-resolver.ts'
import { findDraft, forgetDraft, keepDraft } from './draft.ts'
import { showFieldProblems, toProblem } from './show-problem.ts'

type CalendarFormOptions<Values extends FieldValues> = {
  calendar: Calendar
  /** Names the form among those of a calendar. */
  name: string
  schema: z.ZodType<Values, Values>
  /** What the form shows of a calendar. */
  show: (calendar: Calendar) => Values
  toChanges: (values: Values) => CalendarChanges
  /** The toast when it is saved, and when it is not. */
  saved: string
  failed: (sentence: string) => string
}

type Draft<Values> = { values: Values; shown: Calendar }

/**
 * A form about some settings of a calendar. It follows the calendar until somebody types; from then on it keeps what
 * was typed through failed requests, the login of an ended session, and changes in another window. Those are pointed
 * out before they are overwritten.
 */
export function useCalendarForm<Values extends FieldValues>(options: CalendarFormOptions<Values>) {
  const { calendar, schema, show, toChanges } = options
  const client = useQueryClient()
  const draftKey = `${options.name}:${calendar.id}`
  const [draft] = useState(() => findDraft<Draft<Values>>(draftKey))
  /** The calendar as this form last showed it. */
  const [shown, setShown] = useState(draft?.shown ?? calendar)
  const [showing, setShowing] = useState(0)
  const [isOvertaken, setOvertaken] = useState(false)
  const form = useForm<Values, unknown, Values>({
    resolver: contractResolver(schema),
    // Complete values are default values too; the type cannot tell for a type parameter.
    defaultValues: (draft?.values ?? show(shown)) as DefaultValues<Values>,
  })
  const { mutateAsync } = useMutation({
    mutationFn: (changes: CalendarChanges) => sendJson<Calendar>('PATCH', calendarPath(calendar.id), changes),
    onSuccess: (changed) => showChangedCalendar(client, changed),
  })
  const values = form.watch()
  const isEdited = listDiffering(values, show(shown)).length > 0

  // It is back on the screen: whoever leaves the page now leaves the text, too.
  useEffect(() => forgetDraft(draftKey), [draftKey])

  const follow = (next: Calendar) => {
    setShown(next)
    setShowing((count) => count + 1)
    setOvertaken(false)
    form.reset(show(next))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a calendar that was read anew is followed
  useEffect(() => {
    if (!isEdited && calendar !== shown) follow(calendar)
  }, [calendar])

  const save = form.handleSubmit(async (checked) => {
    try {
      const changed = await mutateAsync({ ...toChanges(checked), was: toChanges(show(shown)) })
      toast.success(options.saved)
      follow(changed)
    } catch (error) {
      const problem = toProblem(error)
      toast.error(options.failed(problem.message))
      if (problem.code === 'auth.required') keepDraft(draftKey, { values: form.getValues(), shown })
      if (problem.code === 'request.changed_meanwhile') {
        setShown(await readCalendarAgain(client, calendar).catch(() => shown))
        setOvertaken(true)
        return
      }
      const fields = Object.keys(show(shown)) as FieldPath<Values>[] // the forms are flat
      if (!showFieldProblems(withFlatPaths(problem), form.setError, fields)) {
        form.setError('root', { message: problem.message })
      }
    }
  })

  return {
    form,
    values,
    save,
    isEdited,
    /** What another window has saved meanwhile, until it is saved over or taken over. */
    overtaken: isOvertaken ? { stored: show(shown), differing: listDiffering(values, show(shown)) } : null,
    /** Changes whenever the form shows a calendar anew; a key for fields with a state of their own. */
    showing,
    /** Takes what is stored instead of what was typed. */
    takeStored: () => follow(shown),
  }
}

/** The fields in which two states of a form differ. */
function listDiffering<Values extends FieldValues>(one: Values, other: Values): (keyof Values & string)[] {
  return Object.keys(other).filter((field) => one[field] !== other[field])
}

/** `reminder_settings.hours` is the field `hours` of its form. */
function withFlatPaths(problem: ApiProblem): ApiProblem {
  const errors = problem.errors.map(({ path, message }) => ({
    path: path.split('.').at(-1) ?? path,
    message,
  }))
  return new ApiProblem({ code: problem.code, status: problem.status, title: problem.message, errors })
}
