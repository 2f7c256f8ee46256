import { useState } from 'react'
import type { Calendar } from '#contract/calendars.ts'
import { Button } from '#web/ui/button.tsx'
import { ManyChangeDialog } from './many-change-dialog.tsx'

/** Opens the dialog that changes all appointments of some days. */
export function ManyChangeButton({ calendar }: { calendar: Calendar }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button className="max-sm:px-3" onClick={() => setOpen(true)}>
        Change whole days
      </Button>
      <ManyChangeDialog calendar={calendar} open={open} onOpenChange={setOpen} />
    </>
  )
}
