import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { customerTimeZone } from '#web/shared/page-clock.ts'
import { timeZoneOptions } from '#web/shared/time-zone-options.ts'
import { Button } from '#web/ui/button.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { ManageSectionProps } from './manage-part-props.ts'
import { customerAppointmentQuery } from './manage-query.ts'

type Details = {
  readonly phone: string
  readonly time_zone: string
  readonly title: string
  readonly description: string
}

/** Lets the customer edit an appointment's phone number, time zone, title and notes. Source: rule R7. */
export function CustomerDetailsForm({ token, view, onClose }: ManageSectionProps & { onClose: () => void }) {
  // The values that the form showed first. They are sent too, so that the server detects changes made elsewhere since.
  const [shown] = useState(() => detailsOf(view))
  const [draft, setDraft] = useState<Details>(shown)
  const client = useQueryClient()
  const zones = useMemo(() => timeZoneOptions(shown.time_zone), [shown])
  const save = useMutation({
    mutationFn: () => {
      const { title, ...rest } = draft
      const { title: before, ...was } = shown
      const withTitle = view.has_title
      const body = withTitle ? { ...draft, was: { ...was, title: before } } : { ...rest, was }
      return callApi(at.changeManagedDetails, { params: { token }, body })
    },
    onSuccess: (changed) => {
      client.setQueryData(customerAppointmentQuery(token).queryKey, changed)
      toast.success('Your details have been updated.')
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate()
  }
  const set = (change: Partial<Details>) => setDraft((before) => ({ ...before, ...change }))
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Phone (optional)"
        type="tel"
        autoComplete="tel"
        maxLength={BOOKING_LIMITS.phone}
        value={draft.phone}
        onChange={(event) => set({ phone: event.target.value })}
      />
      <Combobox
        label="Your time zone"
        options={zones}
        value={draft.time_zone}
        onChange={(time_zone) => set({ time_zone })}
      />
      {view.has_title && (
        <TextField
          label="Appointment title"
          autoComplete="off"
          className="sm:col-span-2"
          maxLength={BOOKING_LIMITS.appointmentTitle}
          value={draft.title}
          onChange={(event) => set({ title: event.target.value })}
        />
      )}
      <TextArea
        label="Additional Notes"
        autoComplete="off"
        className="sm:col-span-2"
        maxLength={BOOKING_LIMITS.appointmentDescription}
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      {save.error !== null && (
        <Notice tone="danger" role="alert" className="sm:col-span-2">
          {save.error.message}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button type="submit" variant="primary" pending={save.isPending} pendingLabel="Saving...">
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

function detailsOf({ appointment, customer }: CustomerAppointment): Details {
  return {
    phone: customer.phone ?? '',
    time_zone: customerTimeZone(appointment),
    title: appointment.title,
    description: appointment.description ?? '',
  }
}
