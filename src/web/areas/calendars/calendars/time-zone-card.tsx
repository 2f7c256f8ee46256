import { useMemo, useState } from 'react'
import { z } from 'zod'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { FormNotices } from '#web/kit/form-notices.tsx'
import { useCalendarForm } from '#web/kit/use-calendar-form.ts'
import { useNow } from '#web/kit/use-now.ts'
import { formatDateHeading, formatTime, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { timeZoneOptions } from '#web/shared/time-zone-options.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { ChangeTimeZoneDialog } from './change-time-zone-dialog.tsx'

const timeZoneForm = z.object({ timezone: z.string() })

/** The zone of a calendar, and changing it. Source: rule T24. */
export function TimeZoneCard({ calendar }: { calendar: Calendar }) {
  const [isAsking, setAsking] = useState(false)
  const record = useCalendarForm({
    calendar,
    name: 'time-zone',
    schema: timeZoneForm,
    show: ({ timezone }) => ({ timezone }),
    toChanges: ({ timezone }) => ({ timezone }),
    saved: 'Timezone Updated',
    failed: () => 'Error: Failed to update timezone. Please try again.',
  })
  const { form, values, save, isEdited } = record
  const { isSubmitting } = form.formState
  const { timezone } = values
  const zones = useMemo(() => timeZoneOptions(calendar.timezone), [calendar.timezone])
  const update = async () => {
    await save()
    setAsking(false)
  }
  return (
    <Card title="Time zone" description="Your weekly hours and your appointments are read in this zone.">
      <div className="flex flex-col gap-4">
        <FormNotices record={record} labels={{ timezone: 'Time zone' }} />
        <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2">
          <Combobox
            label="Time zone"
            options={zones}
            value={timezone}
            onChange={(zone) => form.setValue('timezone', zone)}
          />
          <LocalTime timeZone={timezone} />
        </div>
        <Button
          className="self-start"
          variant="primary"
          disabled={!isEdited || isSubmitting}
          onClick={() => setAsking(true)}
        >
          {isSubmitting ? 'Updating...' : 'Update Time Zone'}
        </Button>
      </div>
      <ChangeTimeZoneDialog
        calendar={calendar}
        next={timezone}
        open={isAsking}
        onOpenChange={setAsking}
        pending={isSubmitting}
        onConfirm={() => void update()}
      />
    </Card>
  )
}

/** The present time there, so that a wrong zone is noticed. */
function LocalTime({ timeZone }: { timeZone: string }) {
  const now = useNow()
  return (
    <p className="rounded-control bg-sunken px-4 py-2 sm:self-end">
      <span className="block text-sm text-ink-soft">Now, {formatZone(timeZone, now)}</span>
      <strong className="font-display text-xl lining-nums">{formatTime(now, timeZone)}</strong>{' '}
      <span className="text-sm whitespace-nowrap text-ink-soft">
        {formatDateHeading(localDateOf(now, timeZone))}
      </span>
    </p>
  )
}
