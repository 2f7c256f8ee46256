import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Customer, ListedCustomer } from '#contract/customers/customers.ts'
import * as at from '#contract/operations/addresses.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { useDebounced } from '#web/kit/use-debounced.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toReadableEmailAddress } from '#web/shared/readable-address.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { toast } from '#web/ui/toast.tsx'
import { customerListQuery } from './customer-queries.ts'

type MergeDialogProps = {
  calendarId: string
  /** The record that the merge keeps. */
  customer: Customer
  /** The initial search for the other record. */
  search?: string
  open: boolean
  onOpenChange: (open: boolean) => void
  onMerged?: () => void
}

/** Lets the owner choose a record to merge into this one, and explains the effect. Source: rule D11. */
export function MergeCustomersDialog({
  calendarId,
  customer,
  search: searchAtFirst = '',
  open,
  onOpenChange,
  onMerged,
}: MergeDialogProps) {
  const client = useQueryClient()
  const [typed, setTyped] = useState(searchAtFirst)
  const [other, setOther] = useState<ListedCustomer | null>(null)
  const search = useDebounced(typed.trim())
  const { data, error } = useQuery({
    ...customerListQuery(calendarId, search, 1),
    enabled: open && search !== '',
  })
  const others = search === '' ? [] : (data?.customers ?? []).filter(({ id }) => id !== customer.id)
  const merge = useMutation({
    mutationFn: (gone: ListedCustomer) =>
      callApi(at.mergeCustomers, {
        params: { id: calendarId, customer_id: customer.id },
        body: { other_id: gone.id },
      }),
    onSuccess: () => {
      onOpenChange(false)
      setOther(null)
      setTyped(searchAtFirst)
      onMerged?.()
      toast.success('The records have been merged')
      return client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY] })
    },
    onError: (failure) => toast.error(`Failed to merge the records: ${failure.message}`),
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !merge.isPending && onOpenChange(next)}
      title="Merge two records"
      description={`We’ll keep the record of ${toNamed(customer)}. Choose the record to merge into it.`}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button
            variant="danger"
            disabled={other === null}
            pending={merge.isPending}
            pendingLabel="Merging..."
            onClick={() => other !== null && merge.mutate(other)}
          >
            Merge records
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <TextField
          label="Find the other record"
          type="search"
          autoComplete="off"
          hint="By name, email, phone or client number."
          maxLength={LIMITS.customerSearch}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setOther(null)
          }}
        />
        {error !== null && <Notice tone="danger">{error.message}</Notice>}
        {others.length > 0 && (
          <RadioGroup
            legend="The other record"
            options={others.map(toOption)}
            value={other?.id ?? null}
            onChange={(id) => setOther(others.find((customer) => customer.id === id) ?? null)}
          />
        )}
        {data !== undefined && search !== '' && others.length === 0 && (
          <p className="text-ink-soft">No other customers match “{search}”.</p>
        )}
        {other !== null && <MergeEffect kept={customer} gone={other} />}
      </div>
    </Dialog>
  )
}

/**
 * Describes a customer: `Ada Example (ada@example.org · 3 appointments · C1001)`. Includes details, because two records can have
 * the same name.
 */
function toNamed(customer: ListedCustomer): string {
  return `${wrapInBidiIsolates(customer.name)} (${toFacts(customer)})`
}

function toFacts({ email, phone, appointments, client_id }: ListedCustomer): string {
  const count = appointments === 1 ? '1 appointment' : `${appointments} appointments`
  const address = email === null ? 'No email' : toReadableEmailAddress(email)
  return [address, phone, count, client_id].filter(Boolean).join(' · ')
}

function toOption(customer: ListedCustomer) {
  return { value: customer.id, label: customer.name, hint: toFacts(customer) }
}

function MergeEffect({ kept, gone }: { kept: Customer; gone: ListedCustomer }) {
  return (
    <Notice tone="warning" role="status" title="This can’t be undone.">
      <ul className="mt-1 list-disc ps-5">
        <li>
          All appointments of {toNamed(gone)}, with their payments and messages, move to {toNamed(kept)}, and
          so do your notes.
        </li>
        <li>
          Anyone who opens the page of {toNamed(kept)} with an emailed code will see all of these
          appointments.
        </li>
        {kept.email !== null && gone.email !== null && (
          <li>
            From then on, emails go to {toReadableEmailAddress(kept.email)}. Links in emails to{' '}
            {toReadableEmailAddress(gone.email)} stop working, and a later booking with that address creates a
            new record.
          </li>
        )}
      </ul>
    </Notice>
  )
}
