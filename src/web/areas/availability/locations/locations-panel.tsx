import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CalendarLocation, Location } from '#contract/availability/locations.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LoadingShape } from '#web/kit/loading-shape.tsx'
import { useEditedRecord } from '#web/kit/use-edited-record.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { CalendarLocationList } from './calendar-location-list.tsx'
import { DeleteLocationDialog } from './delete-location-dialog.tsx'
import { LocationDialog } from './location-dialog.tsx'
import { calendarLocationsQuery, ownLocationsQuery } from './location-queries.ts'
import { LocationUsersDialog } from './location-users-dialog.tsx'
import { LocationsPlaceholder } from './locations-placeholder.tsx'
import { OtherLocations } from './other-locations.tsx'
import { RemoveLocationDialog } from './remove-location-dialog.tsx'
import { SharedLocationDialog } from './shared-location-dialog.tsx'
import { findLocationDraft } from './use-save-location.ts'
import { WithdrawnLocations } from './withdrawn-locations.tsx'

/** The locations of a calendar. Source: rule L4. */
export function LocationsPanel({ calendar }: { calendar: Calendar }) {
  const { data, error, refetch } = useQuery(calendarLocationsQuery(calendar.id))
  const rows = data?.calendar_locations
  const { data: own = [] } = useQuery(ownLocationsQuery())
  const dialog = useEditedRecord<Location>(() => findLocationDraft(calendar.id))
  const { edit } = dialog
  const removal = useSubject<CalendarLocation>()
  const deletion = useSubject<Location>()
  const users = useSubject<Location>()
  const [isJoining, setJoining] = useState(false)
  // The dialog shows the code as it is now.
  const findLocation = (shown: Location) => own.find(({ id }) => id === shown.id) ?? shown
  const others = own.filter((location) => rows?.every((row) => row.location_id !== location.id))

  return (
    <div className="flex flex-col gap-6">
      <Card
        title="Locations"
        description="Where appointments take place. The primary one is for every type without a location of its own."
        actions={
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => setJoining(true)}>Use a shared location</Button>
            <Button variant={rows?.length === 0 ? 'secondary' : 'primary'} onClick={() => edit(null)}>
              <Plus aria-hidden="true" className="size-5" />
              Add Location
            </Button>
          </div>
        }
      >
        <WithdrawnLocations locations={data?.withdrawn ?? []} />
        {rows === undefined && error === null && (
          <LoadingShape text="Loading locations...">
            <LocationsPlaceholder />
          </LoadingShape>
        )}
        {rows === undefined && error !== null && (
          <ErrorState title="Failed to load locations" hint={error.message} onRetry={() => refetch()} />
        )}
        {rows?.length === 0 && (
          <EmptyState
            title="No locations yet"
            hint="Add the room where you see customers: they find it on the booking page and in their emails. The first location becomes the primary one."
            action={
              <Button variant="primary" onClick={() => edit(null)}>
                Add your first location
              </Button>
            }
          />
        )}
        {rows !== undefined && rows.length > 0 && (
          <CalendarLocationList
            rows={rows}
            onEdit={edit}
            onRemove={removal.choose}
            onShowUsers={users.choose}
          />
        )}
      </Card>
      {rows !== undefined && others.length > 0 && (
        <OtherLocations
          calendarId={calendar.id}
          locations={others}
          onEdit={edit}
          onDelete={deletion.choose}
          onShowUsers={users.choose}
        />
      )}
      <LocationDialog
        key={dialog.key}
        calendarId={calendar.id}
        location={dialog.record}
        others={others}
        open={dialog.open}
        onOpenChange={dialog.setOpen}
      />
      <SharedLocationDialog calendarId={calendar.id} open={isJoining} onOpenChange={setJoining} />
      {removal.subject !== null && (
        <RemoveLocationDialog
          row={removal.subject}
          nextPrimary={nextPrimaryOf(rows ?? [], removal.subject)}
          open={removal.open}
          onOpenChange={removal.setOpen}
        />
      )}
      {deletion.subject !== null && (
        <DeleteLocationDialog
          location={deletion.subject}
          open={deletion.open}
          onOpenChange={deletion.setOpen}
        />
      )}
      {users.subject !== null && (
        <LocationUsersDialog
          location={findLocation(users.subject)}
          open={users.open}
          onOpenChange={users.setOpen}
        />
      )}
    </div>
  )
}

/** The subject of a dialog, kept while it closes. */
function useSubject<Subject>() {
  const [subject, setSubject] = useState<Subject | null>(null)
  const [open, setOpen] = useState(false)
  const choose = (next: Subject) => {
    setSubject(next)
    setOpen(true)
  }
  return { subject, open, setOpen, choose }
}

/**
 * Which location is primary when this one is gone: the present one, else the first of the list, as on the server.
 * Source: rule L5.
 */
function nextPrimaryOf(rows: readonly CalendarLocation[], removed: CalendarLocation): string | null {
  const left = rows.filter((row) => row.id !== removed.id)
  return (left.find((row) => row.is_primary) ?? left[0])?.location.name ?? null
}
