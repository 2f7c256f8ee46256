import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { todayIn } from '#web/shared/format-date.ts'
import {
  findWaitingRequestError,
  newWaitingRequest,
  toWaitingRequestBody,
} from '#web/shared/waiting-request.ts'
import { WaitingRequestFields } from '#web/shared/waiting-request-fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useChangeWaitingList } from './use-list-change.ts'

type AddDialogProps = { calendar: Calendar; open: boolean; onOpenChange: (open: boolean) => void }

/** Lets the owner add a customer to the waiting list. Source: rule Z1. */
export function AddToWaitingListDialog({ calendar, open, onOpenChange }: AddDialogProps) {
  const formId = useId()
  const [isPending, setPending] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add to the waiting list"
      description="For customers who phone or ask in person. We’ll email them when a time opens up."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={isPending} pendingLabel="Adding...">
            Add customer
          </Button>
        </>
      }
    >
      <AddForm id={formId} calendar={calendar} onPending={setPending} onAdded={() => onOpenChange(false)} />
    </Dialog>
  )
}

type AddFormProps = {
  id: string
  calendar: Calendar
  onPending: (isPending: boolean) => void
  onAdded: () => void
}

function AddForm({ id, calendar, onPending, onAdded }: AddFormProps) {
  const today = todayIn(calendar.timezone)
  const { data } = useQuery(appointmentTypesQuery(calendar.id))
  const types = data?.appointment_types ?? []
  const [request, setRequest] = useState(() => newWaitingRequest(today))
  const [typeId, setTypeId] = useState<string | null>(null)
  const [person, setPerson] = useState({ name: '', email: '', phone: '' })
  const [failure, setFailure] = useState<string | null>(null)
  const change = useChangeWaitingList(calendar.id)
  const chosen = typeId ?? (types.length === 1 ? (types[0]?.id ?? null) : null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const gap =
      types.length > 0 && chosen === null
        ? 'Please choose an appointment type.'
        : findWaitingRequestError(request, today)
    setFailure(gap)
    if (gap !== null || change.isPending) return
    onPending(true)
    change.mutate(
      async () => {
        try {
          await callApi(at.addToWaitingList, {
            params: { id: calendar.id },
            body: {
              appointment_type_id: chosen,
              ...toWaitingRequestBody(request),
              ...person,
            },
          })
          toast.success(`${person.name.trim()} is on the waiting list.`)
          onAdded()
        } catch (error) {
          setFailure(toProblem(error).message)
        }
      },
      { onSettled: () => onPending(false) },
    )
  }
  const fieldOf = (name: keyof typeof person) => ({
    value: person[name],
    onChange: ({ target }: { target: { value: string } }) => setPerson({ ...person, [name]: target.value }),
  })
  return (
    <form id={id} noValidate onSubmit={submit} className="grid gap-5">
      <TextField label="Customer" required maxLength={LIMITS.personName} {...fieldOf('name')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Email" required type="email" maxLength={LIMITS.email} {...fieldOf('email')} />
        <TextField label="Phone (optional)" type="tel" maxLength={LIMITS.phone} {...fieldOf('phone')} />
      </div>
      {types.length > 0 && (
        <Select
          label="Appointment type"
          required
          options={types.map((type) => ({
            value: type.id,
            label: `${wrapInBidiIsolates(type.name)} · ${type.duration} min`,
          }))}
          value={chosen}
          onChange={setTypeId}
        />
      )}
      <WaitingRequestFields request={request} today={today} onChange={setRequest} />
      {failure !== null && (
        <Notice tone="danger" role="alert">
          {failure}
        </Notice>
      )}
    </form>
  )
}
