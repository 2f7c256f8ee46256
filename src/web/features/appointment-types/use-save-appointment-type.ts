import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { AppointmentType, AppointmentTypeBody } from '#contract/appointment-types.ts'
import type { MeanwhileChange } from '#web/app/kit/changed-notice.tsx'
import { contractResolver } from '#web/app/kit/contract-resolver.ts'
import { findDraft, forgetDraft, keepDraft } from '#web/app/kit/draft.ts'
import { showFieldProblems, toProblem } from '#web/app/kit/show-problem.ts'
import { sendJson } from '#web/shared/api-client.ts'
import { toast } from '#web/ui/toast.tsx'
import {
  type AppointmentTypeForm,
  appointmentTypeForm,
  describeChanges,
  type Providers,
  toAppointmentTypeForm,
  toBody,
} from './appointment-type-form.ts'
import { appointmentTypesPath, appointmentTypesQuery, refreshTypes } from './appointment-type-queries.ts'

type AppointmentTypeDraft = { values: AppointmentTypeForm; type: AppointmentType | null }

type SaveOptions = {
  calendarId: string
  /** The type to change, or null to create one. */
  type: AppointmentType | null
  providers: Providers
  onSaved: () => void
}

const FIELDS = [
  'name',
  'duration',
  'description',
  'color',
  'price',
  'stripe_price_id',
  'location_id',
] as const

/**
 * The form of a type and how it is saved. What was typed survives a failed request and the way to the login; what another
 * window changed meanwhile is shown, and saving again is then made knowingly.
 */
export function useSaveAppointmentType({ calendarId, type, providers, onSaved }: SaveOptions) {
  const client = useQueryClient()
  const [draft] = useState(() => findAppointmentTypeDraft(calendarId))
  const form = useForm({
    resolver: contractResolver(appointmentTypeForm),
    defaultValues: draft?.values ?? toAppointmentTypeForm(type),
  })
  const [seen, setSeen] = useState(type)
  const [changes, setChanges] = useState<MeanwhileChange[] | null>(null)
  const { mutateAsync } = useMutation({
    mutationFn: (body: AppointmentTypeBody) =>
      seen === null
        ? sendJson('POST', appointmentTypesPath(calendarId), body)
        : sendJson('PATCH', appointmentTypesPath(calendarId, seen.id), { ...body, was: toWas(seen) }),
  })

  const tell = async (error: unknown, values: AppointmentTypeBody) => {
    const problem = toProblem(error)
    if (problem.code === 'auth.required') keepDraft(draftKey(calendarId), { values, type })
    toast.error(`Failed: ${problem.message}`)
    const stale = problem.code === 'request.changed_meanwhile' && seen !== null
    if (!stale) setChanges(null)
    if (!stale && showFieldProblems(problem, form.setError, FIELDS)) return
    const now = stale ? await findFresh(seen.id) : undefined
    if (now !== undefined) {
      setSeen(now)
      setChanges(describeChanges(problem.errors, now))
    }
    form.setError('root', { message: problem.message })
  }
  const findFresh = async (id: string) => {
    const query = { ...appointmentTypesQuery(calendarId), staleTime: 0 }
    const answer = await client.fetchQuery(query).catch(() => undefined)
    return answer?.appointment_types.find((known) => known.id === id)
  }

  const save = form.handleSubmit(async (values) => {
    try {
      await mutateAsync(toBody(values, providers))
    } catch (error) {
      await tell(error, values)
      return
    }
    toast.success(type === null ? 'Appointment type created!' : 'Appointment type updated!')
    giveUp()
    form.reset(toAppointmentTypeForm(null))
    onSaved()
    await refreshTypes(client, calendarId)
  })
  const giveUp = () => forgetDraft(draftKey(calendarId))
  return { form, save, giveUp, changes }
}

/** What the form showed, as it is stored. */
function toWas({ id: _id, calendar_id: _calendar, location: _location, ...fields }: AppointmentType) {
  return fields
}

/** What somebody was writing on a type of this calendar when they had to log in again. */
export function findAppointmentTypeDraft(calendarId: string): AppointmentTypeDraft | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `appointment-type:${calendarId}`
}
