import { useMutation } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import { browserTimeZone, localDateOf } from '#web/shared/format-date.ts'
import { getFile } from '#web/shared/get-file.ts'
import { saveFile } from '#web/shared/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { toast } from '#web/ui/toast.tsx'
import { PROFILE_PATH } from './profile-queries.ts'

/** Everything the owner has here, to take home. */
export function ExportCard() {
  const { mutate, isPending } = useMutation({
    mutationFn: () => getFile(`${PROFILE_PATH}/export`),
    onSuccess: (archive) => {
      const today = localDateOf(new Date().toISOString(), browserTimeZone())
      saveFile(archive, `meridian-${today}.zip`)
      toast.success('Your data is in your downloads.')
    },
    onError: (error) => toast.error(`Failed to export your data: ${error.message}`),
  })
  return (
    <Card title="Your data">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <p className="min-w-0 flex-1 basis-72 text-ink-soft">
          Your profile, calendars, customers, appointments and payments in one ZIP file, for spreadsheets
          (CSV) and for programs (JSON). Passwords and keys stay here.
        </p>
        <Button pending={isPending} pendingLabel="Preparing your data..." onClick={() => mutate()}>
          <Download aria-hidden="true" className="size-5" />
          Export all my data
        </Button>
      </div>
    </Card>
  )
}
