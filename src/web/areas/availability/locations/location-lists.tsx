import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CalendarLocation, Location } from '#contract/availability/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { DeleteButton, EditButton } from '#web/kit/item-buttons.tsx'
import { callApi } from '#web/shared/call-api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { MapPin } from '#web/ui/icons/map-pin.ts'
import { Monitor } from '#web/ui/icons/monitor.ts'
import { Users } from '#web/ui/icons/users.ts'
import { toast } from '#web/ui/toast.tsx'
import { refreshLocations } from './location-queries.ts'
import { countWithNoun } from './usage-sentences.ts'
import { useAddLocation } from './use-location-changes.ts'

type CalendarLocationListProps = {
  rows: readonly CalendarLocation[]
  onEdit: (location: Location) => void
  onRemove: (row: CalendarLocation) => void
  onShowUsers: (location: Location) => void
}

/** Lists a calendar's locations, one of which is primary, and lets the owner change them. Source: rule L4. */
export function CalendarLocationList({ rows, onEdit, onRemove, onShowUsers }: CalendarLocationListProps) {
  const client = useQueryClient()
  const primary = useMutation({
    mutationFn: (row: CalendarLocation) =>
      callApi(at.setPrimaryLocation, { params: { id: row.calendar_id, calendar_location_id: row.id } }),
    onSuccess: () => toast.success('Primary location updated!'),
    onError: (error) => toast.error(`Failed to update primary location: ${error.message}`),
    // The button stays pending until the list has been refetched, so that a second click cannot act on old data.
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

type OtherLocationsProps = {
  calendarId: string
  locations: readonly Location[]
  onEdit: (location: Location) => void
  onDelete: (location: Location) => void
  onShowUsers: (location: Location) => void
}

/** Lists the owner's locations that this calendar does not use, and lets the owner add or delete them. */
export function OtherLocations({
  calendarId,
  locations,
  onEdit,
  onDelete,
  onShowUsers,
}: OtherLocationsProps) {
  const add = useAddLocation(calendarId)
  return (
    <Card title="Your other locations" description="Not on this calendar. Your other calendars may use them.">
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

type LocationItemProps = {
  location: Location
  isPrimary?: boolean | undefined
  /** The main button: makes the location primary, or adds it to the calendar. */
  main?: { label: string; pendingLabel: string; pending: boolean; onPress: () => void } | undefined
  /** The action of the button with the bin icon. */
  removal: 'Remove' | 'Delete'
  onRemove: () => void
  onEdit: () => void
  onShowUsers: () => void
}

/** Shows one location with its actions. A location of another owner cannot be edited. */
function LocationItem({
  location,
  isPrimary = false,
  main,
  removal,
  onRemove,
  onEdit,
  onShowUsers,
}: LocationItemProps) {
  const { name, user_id, shareable, used_by_others } = location
  return (
    <article
      aria-label={name}
      className="flex min-w-0 flex-wrap items-start justify-between gap-3 rounded-control border border-line bg-surface p-4"
    >
      <LocationDetails location={location} isPrimary={isPrimary}>
        {user_id === null && (
          <p className="mt-0.5 text-sm text-ink-soft">Shared by another owner, and only they can change it</p>
        )}
        {user_id !== null && (shareable || used_by_others > 0) && (
          <button
            type="button"
            onClick={onShowUsers}
            className="-mb-2.5 inline-flex min-h-11 items-center gap-1.5 rounded-control text-sm font-semibold text-link underline-offset-4 hover:underline"
          >
            <Users aria-hidden="true" className="size-4" />
            {used_by_others === 0
              ? 'Share it with another owner'
              : `Used by ${countWithNoun(used_by_others, 'calendar')} of other owners`}
          </button>
        )}
      </LocationDetails>
      <div className="ms-auto flex items-center gap-1">
        {main !== undefined && (
          <Button
            size="sm"
            aria-label={`${main.label}: ${name}`}
            pending={main.pending}
            pendingLabel={main.pendingLabel}
            onClick={main.onPress}
          >
            {main.label}
          </Button>
        )}
        {user_id !== null && <EditButton name={name} onPress={onEdit} />}
        <DeleteButton label={`${removal} ${name}`} onPress={onRemove} />
      </div>
    </article>
  )
}

type LocationDetailsProps = {
  location: Location
  isPrimary: boolean
  /** A line of text about sharing. */
  children?: ReactNode
}

/** Shows the name, address and kind of a location. */
function LocationDetails({ location, isPrimary, children }: LocationDetailsProps) {
  const Icon = location.type === 'online' ? Monitor : MapPin
  return (
    <div className="flex min-w-0 flex-1 basis-64 gap-3">
      <span
        aria-hidden="true"
        className="grid size-10 shrink-0 place-items-center rounded-full bg-sunken text-ink-soft max-[17rem]:hidden"
      >
        <Icon className="size-5" />
      </span>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="min-w-0 font-semibold break-words">{location.name}</h3>
          {isPrimary && <Badge className="bg-chosen! text-on-night!">Primary</Badge>}
          {location.type === 'online' && <Badge tone="info">Online</Badge>}
          {location.shareable && <Badge>Shareable</Badge>}
        </div>
        {location.address !== null && <p className="mt-0.5 break-words text-ink-soft">{location.address}</p>}
        {location.type === 'physical' && (
          <p className="mt-0.5 text-sm text-ink-soft">
            {location.exclusive ? 'One appointment at a time' : 'Several appointments at a time'}
          </p>
        )}
        {children}
      </div>
    </div>
  )
}
