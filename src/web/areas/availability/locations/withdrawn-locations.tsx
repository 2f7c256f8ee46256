import type { WithdrawnLocation } from '#contract/availability/locations.ts'
import { Notice } from '#web/ui/notice.tsx'
import { count } from './usage-sentences.ts'

/** Names the locations whose owners no longer share them, as long as appointments are booked there. Source: rule L11. */
export function WithdrawnLocations({ locations }: { locations: readonly WithdrawnLocation[] }) {
  if (locations.length === 0) return null
  return (
    <Notice tone="warning" title="No longer shared with this calendar" className="mb-4">
      <ul>
        {locations.map(({ name, address, future_appointments }) => (
          <li key={`${name}, ${address}`} className="break-words">
            {[name, address].filter(Boolean).join(', ')}: {count(future_appointments, 'appointment')} booked
            there, without reserving it
          </li>
        ))}
      </ul>
    </Notice>
  )
}
