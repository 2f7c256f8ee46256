import { useQuery } from '@tanstack/react-query'
import { appointmentTypeBody } from '#contract/availability/appointment-types.ts'
import { availabilityQuery } from '#web/kit/availability-query.ts'
import { listUnsuitableTypes } from '#web/kit/unsuitable-types.ts'
import { Notice } from '#web/ui/notice.tsx'

type DurationWarningProps = {
  calendarId: string
  /** Minutes as they are typed. */
  duration: number
  /** The settings are loaded when the dialog opens. */
  open: boolean
}

/** Warns of a duration that does not suit the calendar's time slots. Source: rule T16. */
export function DurationWarning({ calendarId, duration, open }: DurationWarningProps) {
  const { data: settings } = useQuery({ ...availabilityQuery(calendarId), enabled: open })
  const found = settings === undefined ? undefined : listUnsuitableTypes([{ duration }], settings)[0]
  return (
    // Always rendered, so that a warning which appears while somebody types is read out.
    <div role="status" className="empty:-mt-5">
      {found !== undefined && isDuration(duration) && (
        <Notice tone={found.reason === 'too_long' ? 'warning' : 'info'}>
          With this duration the type {found.meaning} You set that in the Availability tab.
        </Notice>
      )}
    </div>
  )
}

/** A duration that the field itself refuses has its own sentence. */
function isDuration(minutes: number): boolean {
  return appointmentTypeBody.shape.duration.safeParse(minutes).success
}
