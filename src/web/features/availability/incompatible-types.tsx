import type { AvailabilityResponse, SlotSettings } from '#contract/availability.ts'
import { type Incompatibility, listIncompatibleTypes } from '#core/scheduling/incompatible-types.ts'
import { Notice } from '#web/ui/notice.tsx'

type TypeLength = AvailabilityResponse['appointment_types'][number]
type IncompatibleTypesProps = { types: readonly TypeLength[]; settings: SlotSettings }

/** Warns of the types that do not suit the settings as they stand in the form. Source: spec §5 "Time-slot settings". */
export function IncompatibleTypes({ types, settings }: IncompatibleTypesProps) {
  const found = listIncompatibleTypes(
    types.map((type) => ({ ...type, durationMinutes: type.duration })),
    {
      slotMinutes: settings.slot_duration_minutes,
      maxDurationMinutes: settings.max_appointment_duration_minutes,
    },
  )
  return (
    // Always there, so that a warning which arrives while somebody chooses is read out.
    <div role="status" className="empty:-mt-5">
      {found.length > 0 && (
        <Notice
          tone="warning"
          title={
            found.length === 1
              ? 'One appointment type does not suit these settings'
              : `${found.length} appointment types do not suit these settings`
          }
        >
          <ul className="mt-1 flex flex-col gap-1">
            {found.map(({ type, reason }) => (
              <li key={type.id} className="break-words">
                <strong className="font-semibold">{type.name}</strong> ({type.duration} min){' '}
                {MEANINGS[reason](settings)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

const MEANINGS: Record<Incompatibility, (settings: SlotSettings) => string> = {
  too_long: ({ max_appointment_duration_minutes: max }) =>
    `offers no times: it is longer than ${Number.isNaN(max) ? 'the longest appointment' : `${max} minutes`}.`,
  off_grid: ({ slot_duration_minutes: slot }) =>
    `does not line up with the grid: it is not a multiple of ${slot} minutes, so some time around it stays unused.`,
}
