import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { Button } from '#web/ui/button.tsx'
import { BulkChangeDialog } from './many-change-dialog.tsx'

/** The button that opens the dialog for changing all appointments of whole days. The first calendar is the one on screen. */
export function BulkChangeButton({ calendars }: { calendars: readonly Calendar[] }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button className="max-sm:px-3" onClick={() => setOpen(true)}>
        Change whole days
      </Button>
      <BulkChangeDialog calendars={calendars} open={open} onOpenChange={setOpen} />
    </>
  )
}
