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
      toast.success('We’ve downloaded your data.')
    },
    onError: fail,
  })
  const erase = useMutation({
    mutationFn: () => callApi(at.eraseOwnRecord, { params }),
    onSuccess: async () => {
      toast.success('Your personal details have been erased.')
      await onChanged()
    },
    onError: fail,
    onSettled: () => setAsking(false),
  })
  return (
    <section className="border-t border-line pt-5">
      <h3 className="font-semibold">Your data</h3>
      <p className="mt-1 max-w-[65ch] text-ink-soft">
        The file has everything the calendar {calendarName} stores about you, except answers that are kept
        encrypted: ask the practice for those. Erasing removes your name, address, phone number, notes and
        answers from all your appointments there. Times and amounts are kept for accounting, without your
        name. If the practice has other calendars, each has its own page, linked from the emails about its
        appointments.
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
        description={`Your name, address, phone number, time zone and notes are removed from all your appointments with ${calendarName}, and their links stop working. Cancel upcoming appointments first. This can’t be undone.`}
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
