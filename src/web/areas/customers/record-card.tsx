import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Customer } from '#contract/customers/customers.ts'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { apiPath, callApi } from '#web/shared/call-api.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Download } from '#web/ui/icons/download.ts'
import { toast } from '#web/ui/toast.tsx'
import { MergeCustomersDialog } from './merge-dialog.tsx'

/** Lets the owner export, merge or erase a customer's record. Source: rules D11 and D12. */
export function CustomerRecordCard({ calendarId, customer }: { calendarId: string; customer: Customer }) {
  const client = useQueryClient()
  const [open, setOpen] = useState<'merge' | 'erase' | null>(null)
  const params = { id: calendarId, customer_id: customer.id }
  const erase = useMutation({
    mutationFn: () => callApi(at.eraseCustomer, { params }),
    onSuccess: () => {
      setOpen(null)
      toast.success('The customer’s details were erased')
      return client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY] })
    },
    onError: (error) => {
      setOpen(null)
      toast.error(`Failed to erase the customer: ${error.message}`)
    },
  })
  return (
    <Card title="Record">
      <div className="flex flex-wrap gap-3">
        <ButtonLink href={apiPath(at.exportCustomer, { params })} download="customer.json">
          <Download aria-hidden="true" className="size-5" />
          Export
        </ButtonLink>
        {customer.erased_at === null && (
          <>
            <Button onClick={() => setOpen('merge')}>Merge with another record</Button>
            <Button variant="danger" onClick={() => setOpen('erase')}>
              Erase
            </Button>
          </>
        )}
      </div>
      <MergeCustomersDialog
        calendarId={calendarId}
        customer={customer}
        open={open === 'merge'}
        onOpenChange={(next) => setOpen(next ? 'merge' : null)}
      />
      <ConfirmDialog
        open={open === 'erase'}
        onOpenChange={(next) => setOpen(next ? 'erase' : null)}
        title={`Erase ${customer.name}?`}
        description="This erases the name, email address, phone number, your notes and everything the customer wrote. Times, prices and payments are kept for accounting, without the name. Cancel upcoming appointments first. This can’t be undone."
        confirmLabel="Erase customer"
        pendingLabel="Erasing..."
        pending={erase.isPending}
        onConfirm={() => erase.mutate()}
        tone="danger"
      />
    </Card>
  )
}
