import type { Location } from '#contract/availability/locations.ts'
import { Card } from '#web/ui/card.tsx'
import { LocationItem } from './location-item.tsx'
import { useAddLocation } from './use-add-location.ts'

type OtherLocationsProps = {
  calendarId: string
  locations: readonly Location[]
  onEdit: (location: Location) => void
  onDelete: (location: Location) => void
  onShowUsers: (location: Location) => void
}

/** The owner's locations that this calendar does not have: to add them, or to delete them for good. */
export function OtherLocations({
  calendarId,
  locations,
  onEdit,
  onDelete,
  onShowUsers,
}: OtherLocationsProps) {
  const add = useAddLocation(calendarId)
  return (
    <Card
      title="Your other locations"
      description="Not on this calendar. They may be on another one of yours."
    >
      <ul className="flex flex-col gap-3">
        {locations.map((location) => (
          <li key={location.id}>
            <LocationItem
              location={location}
              main={{
                label: 'Add',
                pendingLabel: 'Adding...',
                pending: add.isPending && isFor(add.variables, location),
                onPress: () => add.mutate({ location_id: location.id }),
              }}
              removal="Delete"
              onRemove={() => onDelete(location)}
              onEdit={() => onEdit(location)}
              onShowUsers={() => onShowUsers(location)}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function isFor(variables: object, location: Location): boolean {
  return 'location_id' in variables && variables.location_id === location.id
}
