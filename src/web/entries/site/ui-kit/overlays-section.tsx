import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'
import { UiKitSection } from './kit-section.tsx'

/** Shows the components that open over the page. */
export function OverlaysSection() {
  const [dialogOpen, setDialogOpen] = useState(false)
  const [confirmOpen, setConfirmOpen] = useState(false)
  return (
    <UiKitSection title="Dialogs, menus and toasts">
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setDialogOpen(true)}>Open dialog</Button>
        <Button onClick={() => setConfirmOpen(true)}>Open confirmation</Button>
        <Menu
          label="Payment"
          items={[
            { id: 'paid', label: 'Mark as Paid' },
            { id: 'failed', label: 'Mark as Failed' },
          ]}
          onChoose={(id) => toast.success(`Payment marked as ${id} successfully`)}
        />
        <Button onClick={() => toast.success('Calendar created successfully!')}>Toast success</Button>
        <Button onClick={() => toast.error('Failed to load appointments')}>Toast error</Button>
        <Button
          onClick={() =>
            toast.info('Please log in to subscribe', { action: { label: 'Log in', onClick: () => {} } })
          }
        >
          Toast action
        </Button>
        <Button
          onClick={() => toast.warning('Could not verify Google Calendar conflicts. Please check manually.')}
        >
          Toast warning
        </Button>
      </div>
      <Dialog
        open={dialogOpen}
        onOpenChange={setDialogOpen}
        title="Create Calendar"
        description="Your booking link works as soon as it exists."
        footer={
          <>
            <Button onClick={() => setDialogOpen(false)}>Cancel</Button>
            <Button variant="primary" onClick={() => setDialogOpen(false)}>
              Create
            </Button>
          </>
        }
      >
        <div className="space-y-5">
          <TextField label="Calendar Name" required />
          <TextArea label="Description" rows={6} />
          <TextField label="Booking link" hint="Lowercase letters, digits and dashes." />
          <TextField label="Default title" />
        </div>
      </Dialog>
      <ConfirmDialog
        open={confirmOpen}
        onOpenChange={setConfirmOpen}
        title="Delete Calendar"
        description="All its appointments are deleted too, and its booking link stops working for good."
        confirmLabel="Delete Calendar"
        tone="danger"
        onConfirm={() => setConfirmOpen(false)}
      />
    </UiKitSection>
  )
}
