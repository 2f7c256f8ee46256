import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { type Customer, customerChanges } from '#contract/customers/customers.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { SaveButton } from '#web/kit/save-button.tsx'
import { useRecordForm } from '#web/kit/use-record-form.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Card } from '#web/ui/card.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { customerQuery } from './customer-queries.ts'

const notesForm = customerChanges.pick({ notes: true }).required()

/** Lets the owner keep private notes about a customer. Source: rule D9. */
export function CustomerNotesCard({ calendarId, customer }: { calendarId: string; customer: Customer }) {
  const headingId = useId()
  const client = useQueryClient()
  const params = { id: calendarId, customer_id: customer.id }
  const { queryKey } = customerQuery(calendarId, customer.id)
  const record = useRecordForm<Customer, { notes: string }>({
    stored: customer,
    draftKey: `customer-notes:${customer.id}`,
    schema: notesForm,
    show: ({ notes }) => ({ notes: notes ?? '' }),
    send: async ({ notes }, shown) => {
      const body = { notes, was: { notes: shown.notes ?? '' } }
      const saved = await callApi(at.updateCustomer, { params, body })
      client.setQueryData(queryKey, saved)
      return saved
    },
    readAgain: () => client.fetchQuery({ ...customerQuery(calendarId, customer.id), staleTime: 0 }),
    onSaved: () => toast.success('Notes saved'),
    failed: (sentence) => `Failed to save the notes: ${sentence}`,
  })
  const { form, save, isEdited } = record
  const { errors, isSubmitting } = form.formState
  return (
    <Card title={<span id={headingId}>Notes</span>}>
      <form noValidate onSubmit={save} aria-labelledby={headingId} className="flex flex-col gap-4">
        <FormNotices record={record} labels={{ notes: 'Notes' }} />
        <TextArea
          label="Only you see these notes"
          hint="They never appear in emails or on the customer’s pages. They still count as personal data: exporting the record includes them, and erasing the customer erases them."
          maxLength={LIMITS.customerNotes}
          error={errors.notes?.message}
          {...form.register('notes')}
        />
        <SaveButton className="self-start" isEdited={isEdited} pending={isSubmitting}>
          Save notes
        </SaveButton>
      </form>
    </Card>
  )
}
