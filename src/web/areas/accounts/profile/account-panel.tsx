import { useState } from 'react'
import type { Owner } from '#contract/accounts/sessions.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { ExportCard } from './export-card.tsx'

type AccountPanelProps = {
  owner: Owner
  /** What deleting the account means for the plan; null where nothing is paid. */
  planNote?: string | null
}

/** All data of the account, and its end. */
export function AccountPanel({ owner, planNote = null }: AccountPanelProps) {
  const [deleting, setDeleting] = useState(false)
  return (
    <div className="flex flex-col gap-6">
      <ExportCard />
      <Card title="Danger Zone" className="border-danger!">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
          <p className="min-w-0 flex-1 basis-72 text-ink-soft">
            Deletes your account with everything in it. This cannot be undone; you may want to export your
            data first.
          </p>
          <Button variant="danger" onClick={() => setDeleting(true)}>
            Delete my account
          </Button>
        </div>
      </Card>
      <DeleteAccountDialog owner={owner} planNote={planNote} open={deleting} onOpenChange={setDeleting} />
    </div>
  )
}
