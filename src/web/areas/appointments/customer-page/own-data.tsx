import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import * as at from '#contract/operations/addresses.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { saveFile } from '#web/shared/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'

type OwnDataProps = {
  token: string
  calendarName: string
  onChanged: () => Promise<unknown>
  onSessionOver: () => void
}

/** Lets the customer download or erase the data stored about them. Source: rules R10 and R11. */
export function CustomerDataSection({ token, calendarName, onChanged, onSessionOver }: OwnDataProps) {
  const params = { token }
  const [isAsking, setAsking] = useState(false)
  const fail = (error: Error) => {
    if (error instanceof ApiProblem && error.code === 'manage.session_needed') onSessionOver()
    toast.error(error.message)
  }
  const take = useMutation({
    mutationFn: () => callApi(at.exportOwnRecord, { params }),
    onSuccess: (record) => {
      const json = JSON.stringify(record, null, 2)
      saveFile(new Blob([json], { type: 'application/json' }), 'my-appointments.json')
      toast.success('Your data is in your downloads.')
    },
    onError: fail,
  })
  const erase = useMutation({
    mutationFn: () => callApi(at.eraseOwnRecord, { params }),
    onSuccess: async () => {
      toast.success('Your personal details were erased.')
      await onChanged()
    },
    onError: fail,
    onSettled: () => setAsking(false),
  })
  return (
    <section className="border-t border-line pt-5">
      <h3 className="font-semibold">Your data</h3>
      <p className="mt-1 max-w-[65ch] text-ink-soft">
        The file has everything that the calendar {calendarName} stores about you. Erasing takes your name,
        address, phone number and notes out of all your appointments there. Times and amounts stay for
        accounting, without your name. What another calendar of the same practice stores has a page of its
        own, which the emails about its appointments lead to.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button pending={take.isPending} pendingLabel="Preparing..." onClick={() => take.mutate()}>
          Download my data
        </Button>
        <Button variant="ghost" onClick={() => setAsking(true)}>
          Erase my data
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Erase your data?"
        description={`Your name, address, phone number, time zone and notes are removed from all your appointments with ${calendarName}, and their links stop working. Appointments that are still ahead have to be cancelled first. This cannot be undone.`}
        confirmLabel="Erase my data"
        pendingLabel="Erasing..."
        cancelLabel="Keep my data"
        tone="danger"
        pending={erase.isPending}
        onConfirm={() => erase.mutate()}
      />
    </section>
  )
}
