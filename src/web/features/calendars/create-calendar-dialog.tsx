import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Calendar, CreateCalendarBody } from '#contract/calendars.ts'
import { PROBLEMS } from '#contract/problem.ts'
import type { Owner } from '#contract/sessions.ts'
import { contractResolver } from '#web/app/kit/contract-resolver.ts'
import { findDraft, forgetDraft, keepDraft } from '#web/app/kit/draft.ts'
import { showFieldProblems, toProblem } from '#web/app/kit/show-problem.ts'
import { sendJson } from '#web/shared/api-client.ts'
import { browserTimeZone } from '#web/shared/format-date.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { CalendarFields } from './calendar-fields.tsx'
import { type CalendarForm, calendarForm, emptyCalendarForm } from './calendar-form.ts'
import { fieldOfProblem } from './calendar-problem-field.ts'
import { rememberCalendar } from './calendar-queries.ts'

type CreateCalendarDialogProps = {
  owner: Owner
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The plan allows no further calendar: said before anything is typed. The server has the last word. */
  limitReached: boolean
}

/**
 * Creates a calendar. What is typed survives a failed request and a dialog closed by accident.
 * Source: spec §3 "Create-calendar form", §5 "Create calendar", §8 "Calendars".
 */
export function CreateCalendarDialog({ owner, open, onOpenChange, limitReached }: CreateCalendarDialogProps) {
  const client = useQueryClient()
  const formId = useId()
  const [draft] = useState(() => findDraft<CalendarDraft>(draftKey(owner.id)))
  const [slugEdited, setSlugEdited] = useState(draft?.slugEdited ?? false)
  const form = useForm({
    resolver: contractResolver(calendarForm),
    defaultValues: draft?.values ?? emptyCalendarForm(browserTimeZone()),
  })
  const { mutateAsync } = useMutation({
    mutationFn: (body: CreateCalendarBody) => sendJson<Calendar>('POST', '/api/calendars', body),
  })
  const { handleSubmit, setError, reset, formState } = form
  const { errors, isSubmitting } = formState

  const create = handleSubmit(async (values) => {
    // A link that only follows the name is left to the server, which finds a free one.
    const body = { ...values, slug: slugEdited ? values.slug : '' }
    let calendar: Calendar
    try {
      calendar = await mutateAsync(body)
    } catch (error) {
      const problem = toProblem(error)
      if (problem.code === 'auth.required') keepDraft(draftKey(owner.id), { values, slugEdited })
      toast.error(`Failed to create calendar: ${problem.message}`)
      const field = fieldOfProblem(problem.code)
      if (field !== null) setError(field, { message: problem.message }, { shouldFocus: true })
      else if (!showFieldProblems(problem, setError, FIELDS)) setError('root', { message: problem.message })
      return
    }
    toast.success('Calendar created successfully!')
    close(false)
    reset(emptyCalendarForm(browserTimeZone()))
    setSlugEdited(false)
    await rememberCalendar(client, calendar)
  })

  const close = (next: boolean) => {
    forgetDraft(draftKey(owner.id))
    onOpenChange(next)
  }
  const refusal =
    errors.root?.message ?? (limitReached ? PROBLEMS['calendar.limit_reached'].title : undefined)
  const isLimit = refusal === PROBLEMS['calendar.limit_reached'].title
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Create Calendar"
      description="Its booking page opens Monday to Friday, 9:00 AM to 5:00 PM."
      footer={
        <>
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={isSubmitting}
            pendingLabel="Creating..."
          >
            Create Calendar
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={create} className="flex flex-col gap-5">
        {refusal !== undefined && (
          <Notice
            tone={isLimit ? 'warning' : 'danger'}
            action={
              isLimit && (
                <ButtonLink size="sm" href={paths.pricing()}>
                  Upgrade Plan
                </ButtonLink>
              )
            }
          >
            {refusal}
          </Notice>
        )}
        <CalendarFields form={form} owner={owner} slugEdited={slugEdited} onSlugEdited={setSlugEdited} />
      </form>
    </Dialog>
  )
}

const FIELDS = [
  'name',
  'slug',
  'description',
  'category',
  'color',
  'timezone',
  'default_appointment_title',
] as const

type CalendarDraft = { values: CalendarForm; slugEdited: boolean }

function draftKey(ownerId: string): string {
  return `create-calendar:${ownerId}`
}

/** Somebody was writing a calendar when they had to log in again. */
export function hasCalendarDraft(ownerId: string): boolean {
  return findDraft(draftKey(ownerId)) !== undefined
}
