import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CalendarLocation, Location } from '#contract/availability/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'
import { LocationItem } from './location-item.tsx'
import { refreshLocations } from './location-queries.ts'

type CalendarLocationListProps = {
  rows: readonly CalendarLocation[]
  onEdit: (location: Location) => void
  onRemove: (row: CalendarLocation) => void
  onShowUsers: (location: Location) => void
}

/** The locations of a calendar, of which one is primary. Source: rule L4. */
export function CalendarLocationList({ rows, onEdit, onRemove, onShowUsers }: CalendarLocationListProps) {
  const client = useQueryClient()
  const primary = useMutation({
    mutationFn: (row: CalendarLocation) =>
      callApi(at.setPrimaryLocation, { params: { id: row.calendar_id, calendar_location_id: row.id } }),
    onSuccess: () => toast.success('Primary location updated!'),
    onError: (error) => toast.error(`Failed to update primary location: ${error.message}`),
    // Until the list is loaded again the button stays pressed: a second press would act on the old list.
    onSettled: () => refreshLocations(client),
  })
  return (
    <ul className="flex flex-col gap-3">
      {rows.map((row) => (
        <li key={row.id}>
          <LocationItem
            location={row.location}
            isPrimary={row.is_primary}
            main={
              row.is_primary
                ? undefined
                : {
                    label: 'Set Primary',
                    pendingLabel: 'Setting...',
                    pending: primary.isPending && primary.variables.id === row.id,
                    onPress: () => primary.mutate(row),
                  }
            }
            removal="Remove"
            onRemove={() => onRemove(row)}
            onEdit={() => onEdit(row.location)}
            onShowUsers={() => onShowUsers(row.location)}
          />
        </li>
      ))}
    </ul>
  )
}
