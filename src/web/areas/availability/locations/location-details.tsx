import type { ReactNode } from 'react'
import type { Location } from '#contract/availability/locations.ts'
import { Badge } from '#web/ui/badge.tsx'
import { MapPin } from '#web/ui/icons/map-pin.ts'
import { Monitor } from '#web/ui/icons/monitor.ts'

type LocationDetailsProps = {
  location: Location
  isPrimary: boolean
  /** A line about its sharing. */
  children?: ReactNode
}

/** What a location is: name, address, and how it may be used. */
export function LocationDetails({ location, isPrimary, children }: LocationDetailsProps) {
  const Icon = location.type === 'online' ? Monitor : MapPin
  return (
    <div className="flex min-w-0 flex-1 basis-64 gap-3">
      <span
        aria-hidden="true"
        className="grid size-10 shrink-0 place-items-center rounded-full bg-sunken text-ink-soft"
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
