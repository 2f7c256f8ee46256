import { type ComponentProps, useState } from 'react'
import { formatDateHeading } from '#web/shared/format-date.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { DayEntries } from './day-lists.tsx'

type DayDialogProps = Omit<ComponentProps<typeof DayEntries>, 'onOpen'> & {
  open: boolean
  onClose: () => void
}

/** Lists a day whose appointments do not all fit side by side. Each of them opens above the list. */
export function DayDialog({ open, onClose, ...entries }: DayDialogProps) {
  const [openedId, setOpenedId] = useState<string | null>(null)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={formatDateHeading(entries.day.date)}
    >
      <div className="flex flex-col gap-2">
        <DayEntries {...entries} onOpen={({ id }) => setOpenedId(id)} />
      </div>
      <AppointmentDialog
        appointment={entries.appointments.find(({ id }) => id === openedId) ?? null}
        onClose={() => setOpenedId(null)}
      />
    </Dialog>
  )
}
