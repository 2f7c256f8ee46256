import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Customer, customerChanges } from '#contract/customers/customers.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { useRecordForm } from '#web/kit/use-record-form.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Pencil } from '#web/ui/icons/pencil.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { customerQuery } from './customer-queries.ts'
import { MergeCustomersDialog } from './merge-dialog.tsx'

type EditCustomerProps = { calendarId: string; customer: Customer }

/** Lets the owner correct a customer's name, email address and phone in a dialog. Source: rule D13. */
export function EditCustomerDialog(props: EditCustomerProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="sm" onClick={() => setIsOpen(true)}>
        <Pencil aria-hidden="true" className="size-4" />
        Edit
      </Button>
      {isOpen && <EditDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  )
}

const identityForm = customerChanges.pick({ name: true, email: true, phone: true }).required()
type Identity = { name: string; email: string; phone: string }

const LABELS = { name: 'Name', email: 'Email', phone: 'Phone' }

function EditDialog({ calendarId, customer, onClose }: EditCustomerProps & { onClose: () => void }) {
  const client = useQueryClient()
  const [taken, setTaken] = useState<string | null>(null)
  const params = { id: calendarId, customer_id: customer.id }
  const record = useRecordForm<Customer, Identity>({
    stored: customer,
    draftKey: `customer:${customer.id}`,
    schema: identityForm,
    show: toIdentity,
    keepFor: 'login',
    send: async (typed, shown) => {
      setTaken(null)
      try {
        return await callApi(at.updateCustomer, { params, body: { ...typed, was: toIdentity(shown) } })
      } catch (error) {
        if (error instanceof ApiProblem && error.code === 'customer.address_taken') setTaken(typed.email)
        throw error
      }
    },
    readAgain: () => client.fetchQuery({ ...customerQuery(calendarId, customer.id), staleTime: 0 }),
    onSaved: async () => {
      onClose()
      toast.success('Customer saved')
      await client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY] })
    },
    failed: (sentence) => `Failed to save the customer: ${sentence}`,
  })
  const { form, save, giveUp, values, shown } = record
  const { errors, isSubmitting } = form.formState
  const clearTaken = () => {
    setTaken(null)
    form.clearErrors('email')
  }
  const close = () => {
    giveUp()
    onClose()
  }
  return (
    <FormDialog
      open
      onOpenChange={close}
      title="Edit customer"
      description="We also update upcoming appointments that were booked with the current name or number."
      pending={isSubmitting}
      pendingLabel="Saving..."
      submitLabel="Save"
      onSubmit={save}
    >
      <FormNotices record={record} labels={LABELS} />
      <TextField
        label={LABELS.name}
        required
        autoComplete="off"
        maxLength={LIMITS.personName}
        error={errors.name?.message}
        {...form.register('name')}
      />
      <TextField
        label={LABELS.email}
        type="email"
        autoComplete="off"
        maxLength={LIMITS.email}
        error={errors.email?.message}
        {...form.register('email')}
      />
      {taken === null && (
        <AddressEffect from={shown.email} to={values.email} hasAppointments={shown.appointments > 0} />
      )}
      {taken !== null && <TakenAddress {...{ calendarId, customer, email: taken }} onMerged={clearTaken} />}
      <TextField
        label={LABELS.phone}
        type="tel"
        autoComplete="off"
        maxLength={LIMITS.phone}
        error={errors.phone?.message}
        {...form.register('phone')}
      />
    </FormDialog>
  )
}

function toIdentity({ name, email, phone }: Customer): Identity {
  return { name, email: email ?? '', phone: phone ?? '' }
}

/** Explains the effect of a changed email address before the change is saved. */
function AddressEffect({
  from,
  to,
  hasAppointments,
}: {
  from: string | null
  to: string
  hasAppointments: boolean
}) {
  const next = to.trim()
  if (!hasAppointments || next.toLowerCase() === (from ?? '').toLowerCase()) return null
  return (
    <Notice role="status">
      {next === ''
        ? 'We won’t email them about appointments.'
        : 'Emails go to the new address from now on. We’ll send it one about the next appointment, with its link.'}
      {from !== null && ` Links in emails to ${from} will stop working.`}
    </Notice>
  )
}

/** Explains that the email address belongs to another record, perhaps of the same person, and offers to merge the two records. */
function TakenAddress({
  calendarId,
  customer,
  email,
  onMerged,
}: EditCustomerProps & { email: string; onMerged: () => void }) {
  const [isMerging, setIsMerging] = useState(false)
  return (
    <>
      <Notice
        tone="warning"
        role="alert"
        title="Are they the same person?"
        action={
          <Button size="sm" onClick={() => setIsMerging(true)}>
            Merge the two records
          </Button>
        }
      >
        Merge the two records first. Then save the address here.
      </Notice>
      <MergeCustomersDialog
        {...{ calendarId, customer, onMerged }}
        search={email}
        open={isMerging}
        onOpenChange={setIsMerging}
      />
    </>
  )
}
