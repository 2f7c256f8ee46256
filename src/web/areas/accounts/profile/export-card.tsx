import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Download } from '#web/ui/icons/download.ts'
import { ExportDialog } from './export-dialog.tsx'

/** The export of everything that the owner has here. */
export function ExportCard() {
  const [exporting, setExporting] = useState(false)
  return (
    <Card title="Your data">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <p className="min-w-0 flex-1 basis-72 text-ink-soft">
          Your profile, calendars, customers, appointments and payments in one ZIP file, for spreadsheets
          (CSV) and for programs (JSON). Passwords and keys stay here.
        </p>
        <Button onClick={() => setExporting(true)}>
          <Download aria-hidden="true" className="size-5" />
          Export all my data
        </Button>
      </div>
      <ExportDialog open={exporting} onOpenChange={setExporting} />
    </Card>
  )
}
