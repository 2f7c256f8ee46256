import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CalendarLocation, Location, WithdrawnLocation } from '#contract/availability/locations.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, SmallButtonPlaceholder } from '#web/kit/loading-shape.tsx'
import { useEditDialog } from '#web/kit/use-edited-record.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Plus } from '#web/ui/icons/plus.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LocationDialog } from './location-dialog.tsx'
import { CalendarLocationList, OtherLocations } from './location-lists.tsx'
import { calendarLocationsQuery, ownLocationsQuery } from './location-queries.ts'
import { DeleteLocationDialog, RemoveLocationDialog } from './location-removal-dialogs.tsx'
import { LocationUsersDialog } from './location-users-dialog.tsx'
import { SharedLocationDialog } from './shared-location-dialog.tsx'
import { countWithNoun } from './usage-sentences.ts'
import { findLocationDraft } from './use-location-changes.ts'

/** Lets the owner manage a calendar's locations. Source: rule L4. */
export function LocationsPanel({ calendar }: { calendar: Calendar }) {
  const query = useQuery(calendarLocationsQuery(calendar.id))
  const { data } = query
  const rows = data?.calendar_locations
  const { data: own = [] } = useQuery(ownLocationsQuery())
  const dialog = useEditDialog<Location>(() => findLocationDraft(calendar.id))
  const { edit } = dialog
  const removal = useSubject<CalendarLocation>()
  const deletion = useSubject<Location>()
  const users = useSubject<Location>()
  const [isJoining, setJoining] = useState(false)
  // Returns the current record of the location, so that the dialog shows a new sharing code.
  const findLocation = (shown: Location) => own.find(({ id }) => id === shown.id) ?? shown
  const others = own.filter((location) => rows?.every((row) => row.location_id !== location.id))

  return (
    <div className="flex flex-col gap-6">
      <Card
        title="Locations"
        description="Where appointments take place. Appointment types without their own location use the primary one."
        actions={
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => setJoining(true)}>Use a shared location</Button>
            <Button variant={rows?.length === 0 ? 'secondary' : 'primary'} onClick={() => edit(null)}>
              <Plus aria-hidden="true" className="size-5" />
              Add location
            </Button>
          </div>
        }
      >
        <WithdrawnLocations locations={data?.withdrawn ?? []} />
        <LoadStatus query={query} loading="Loading locations..." failed="Failed to load locations">
          <LocationsPlaceholder />
        </LoadStatus>
        {rows?.length === 0 && (
          <EmptyState
            title="No locations yet"
            hint="Add the place where you see customers. It appears on the booking page and in emails. Your first location becomes the primary one."
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

/** Holds the record that a dialog is about. The record is kept while the dialog closes. */
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
 * Returns the name of the primary location after `removed` is gone: the current primary, else the first of the list, as on the
 * server. Source: rule L5.
 */
function nextPrimaryOf(rows: readonly CalendarLocation[], removed: CalendarLocation): string | null {
  const left = rows.filter((row) => row.id !== removed.id)
  return (left.find((row) => row.is_primary) ?? left[0])?.location.name ?? null
}

/** Lists locations that their owners no longer share, but where appointments are still booked. Source: rule L11. */
function WithdrawnLocations({ locations }: { locations: readonly WithdrawnLocation[] }) {
  if (locations.length === 0) return null
  return (
    <Notice tone="warning" title="No longer shared with this calendar" className="mb-4">
      <ul>
        {locations.map(({ name, address, future_appointments }) => (
          <li key={`${name}, ${address}`} className="break-words">
            {[name, address].filter(Boolean).join(', ')}: {countWithNoun(future_appointments, 'appointment')}{' '}
            booked there, without reserving it
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** The placeholder of one `LocationItem`. */
function LocationsPlaceholder() {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-3 rounded-control border border-line bg-surface p-4">
        <div className="flex min-w-0 flex-1 basis-64 gap-3">
          <Skeleton className="size-10 shrink-0 rounded-full!" />
          <div className="min-w-0 flex-1">
            <LinePlaceholder className="w-44" />
            <div className="mt-0.5">
              <LinePlaceholder className="w-64" />
            </div>
            <div className="mt-0.5">
              <LinePlaceholder size="sm" className="w-48" />
            </div>
          </div>
        </div>
        <SmallButtonPlaceholder className="ms-auto w-20" />
      </div>
    </div>
  )
}
