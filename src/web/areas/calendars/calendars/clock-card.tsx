import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { HOUR_CYCLES, type HourCycle } from '#core/shared/hour-cycle.ts'
import { updateCachedCalendar } from '#web/kit/calendar-cache.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import { Card } from '#web/ui/card.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { toast } from '#web/ui/toast.tsx'

const OPTIONS = HOUR_CYCLES.map((value) => ({ value, label: formatClock('15:00', value) }))

/** Lets the owner choose between the 12-hour and the 24-hour clock. Saved immediately. Source: rule W24. */
export function ClockCard({ calendar }: { calendar: Calendar }) {
  const client = useQueryClient()
  const [saving, setSaving] = useState<HourCycle | null>(null)
  const { mutate } = useMutation({
    mutationFn: (hour_cycle: HourCycle) =>
      callApi(at.updateCalendar, { params: { id: calendar.id }, body: { hour_cycle } }),
    onSuccess: (saved) => {
      updateCachedCalendar(client, saved)
      toast.success('Clock updated')
    },
    onError: (error) => toast.error(`Failed to update the clock: ${error.message}`),
    onSettled: () => setSaving(null),
  })
  return (
    <Card title="Clock" description="You and your customers see the times of this calendar in this format.">
      <RadioGroup
        legend="Clock"
        isLegendHidden
        className="sm:flex-row sm:gap-8"
        options={OPTIONS}
        value={saving ?? calendar.hour_cycle}
        onChange={(chosen) => {
          if (saving) return
          setSaving(chosen)
          mutate(chosen)
        }}
      />
    </Card>
  )
}
