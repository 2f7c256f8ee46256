import type { AvailabilityResponse } from '#contract/availability/opening-hours.ts'
import type { SlotSettings } from '#contract/slots/slot-settings.ts'
import { listUnsuitableTypes } from '#web/kit/unsuitable-types.ts'
import { Notice } from '#web/ui/notice.tsx'

type TypeLength = AvailabilityResponse['appointment_types'][number]
type IncompatibleTypesProps = { types: readonly TypeLength[]; settings: SlotSettings }

/** Warns of the types that do not suit the settings as they stand in the form. Source: rule T16. */
export function IncompatibleTypes({ types, settings }: IncompatibleTypesProps) {
  const found = listUnsuitableTypes(types, settings)
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
            {found.map(({ type, meaning }) => (
              <li key={type.id} className="break-words">
                <strong className="font-semibold">{type.name}</strong> ({type.duration} min) {meaning}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
