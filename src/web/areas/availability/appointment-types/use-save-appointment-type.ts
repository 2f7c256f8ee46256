import { useQueryClient } from '@tanstack/react-query'
import type { AppointmentType, AppointmentTypeBody } from '#contract/availability/appointment-types.ts'
import * as at from '#contract/operations/addresses.ts'
import { appointmentTypesQuery, refreshTypes } from '#web/kit/appointment-types-query.ts'
import { toSentChanges } from '#web/kit/changed-fields.ts'
import { type RecordDraft, useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { findDraft } from '#web/shared/draft.ts'
import { toast } from '#web/ui/toast.tsx'
import {
  type AppointmentTypeForm,
  appointmentTypeForm,
  describeAppointmentType,
  type Providers,
  toAppointmentTypeForm,
  toBody,
} from './appointment-type-form.ts'

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

/** The form of a type, and its saving. */
export function useSaveAppointmentType({ calendarId, type, providers, onSaved }: SaveOptions) {
  const client = useQueryClient()
  return useRecordForm<AppointmentType | null, AppointmentTypeForm, AppointmentTypeBody>({
    stored: type,
    draftKey: draftKey(calendarId),
    keepFor: 'login',
    schema: appointmentTypeForm,
    show: toAppointmentTypeForm,
    describe: describeAppointmentType,
    fields: FIELDS,
    send: async (values, shown) => {
      await saveType(calendarId, toBody(values, providers), shown)
      return null
    },
    readAgain: async (shown) => {
      const answer = await client.fetchQuery({ ...appointmentTypesQuery(calendarId), staleTime: 0 })
      return answer.appointment_types.find(({ id }) => id === shown?.id)
    },
    onSaved: async () => {
      toast.success(type === null ? 'Appointment type created!' : 'Appointment type updated!')
      onSaved()
      await refreshTypes(client, calendarId)
    },
    failed: (sentence) => `Failed: ${sentence}`,
  })
}

/** Creates a type of the calendar, or changes the one that was shown. @throws ApiProblem */
function saveType(
  calendarId: string,
  body: AppointmentTypeBody,
  shown: AppointmentType | null,
): Promise<unknown> {
  if (shown === null) return callApi(at.createAppointmentType, { params: { id: calendarId }, body })
  const { changes, was } = toSentChanges(body, shown)
  return callApi(at.updateAppointmentType, {
    params: { id: calendarId, type_id: shown.id },
    body: { ...changes, was },
  })
}

/** The unsaved text of a type of this calendar, from before a login. */
export function findAppointmentTypeDraft(
  calendarId: string,
): RecordDraft<AppointmentType | null, AppointmentTypeForm> | undefined {
  return findDraft(draftKey(calendarId))
}

function draftKey(calendarId: string): string {
  return `appointment-type:${calendarId}`
}
