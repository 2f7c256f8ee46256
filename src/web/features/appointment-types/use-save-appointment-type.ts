import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { AppointmentType, AppointmentTypeBody } from '#contract/appointment-types.ts'
import * as at from '#contract/operations/addresses.ts'
import { appointmentTypesQuery, refreshTypes } from '#web/kit/appointment-types-query.ts'
import { toSentChanges } from '#web/kit/changed-fields.ts'
import { contractResolver } from '#web/kit/contract-resolver.ts'
import { showFieldProblems, toProblem } from '#web/kit/show-problem.ts'
import { useShownRecord } from '#web/kit/use-shown-record.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft, forgetDraft, keepDraft } from '#web/shared/draft.ts'
import { toast } from '#web/ui/toast.tsx'
import {
  type AppointmentTypeForm,
  appointmentTypeForm,
  describeAppointmentType,
  type Providers,
  toAppointmentTypeForm,
  toBody,
} from './appointment-type-form.ts'

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
 * The form of a type, and its saving. Typed text survives a failed request and the way to the login. A change in
 * another window is shown before it can be overwritten.
 */
export function useSaveAppointmentType({ calendarId, type, providers, onSaved }: SaveOptions) {
  const client = useQueryClient()
  const [draft] = useState(() => findAppointmentTypeDraft(calendarId))
  const form = useForm({
    mode: 'onTouched',
    resolver: contractResolver(appointmentTypeForm),
    defaultValues: draft?.values ?? toAppointmentTypeForm(type),
  })
  const { shown, overtaken, overtake, takeStored } = useShownRecord({
    form,
    first: type,
    show: toAppointmentTypeForm,
    describe: (record) => (record === null ? {} : describeAppointmentType(record)),
  })
  const { mutateAsync } = useMutation({
    mutationFn: (body: AppointmentTypeBody) => {
      if (shown === null) return callApi(at.createAppointmentType, { params: { id: calendarId }, body })
      const { changes, was } = toSentChanges(body, shown)
      return callApi(at.updateAppointmentType, {
        params: { id: calendarId, type_id: shown.id },
        body: { ...changes, was },
      })
    },
  })

  const tell = async (error: unknown, values: AppointmentTypeBody) => {
    const problem = toProblem(error)
    if (problem.code === 'auth.required') keepDraft(draftKey(calendarId), { values, type: shown })
    if (await overtake(problem, findFresh)) return
    toast.error(`Failed: ${problem.message}`)
    if (!showFieldProblems(problem, form.setError, FIELDS))
      form.setError('root', { message: problem.message })
  }
  const findFresh = async () => {
    const answer = await client.fetchQuery({ ...appointmentTypesQuery(calendarId), staleTime: 0 })
    return answer.appointment_types.find(({ id }) => id === shown?.id)
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
  return { form, save, giveUp, overtaken, takeStored }
}

/** The unsaved text of a type of this calendar, from before a login. */
export function findAppointmentTypeDraft(calendarId: string): AppointmentTypeDraft | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `appointment-type:${calendarId}`
}
